import { type Html, html } from '../../../http/html/html.ts'
import { hiddenText } from '../../shared/elements.ts'
import { type Choice, hiddenField, inputField, selectField } from '../../shared/fields.ts'
import {
  type Choices,
  chipsOf,
  type FilterName,
  type Filters,
  filterFields,
  filterNames,
  first,
  hrefWith,
  isDate,
  isSame,
} from './filters.ts'

/** The form of all filters. It uses GET, so its results have a URL. */
export type FilterForm = Readonly<{
  action: string
  filters: Filters
  choices: Choices
  /** Other parameters of the page's URL. */
  kept?: Readonly<Record<string, string>>
  top: string | undefined
  /** False for months and calendars, which have a fixed order. */
  hasOrder: boolean
}>

const alwaysVisible: readonly string[] = [
  ...['Keywords', 'CorporateActionTypes', 'ElectionStatuses', 'EventStatus', 'SortColumn', 'SortType'],
]

export function filterForm(form: FilterForm): Html {
  const { action, filters, choices, kept = {}, top, hasOrder } = form
  const hidden = filterNames.filter((name) => filters.has(name) && !alwaysVisible.includes(name))
  const active = hidden.length + (top === undefined ? 0 : 1)
  return html`<form class="card flow" method="get" action="${action}" role="search" aria-label="Corporate actions">
${Object.entries(kept).map(([name, value]) => hiddenField(name, value))}
<div class="filters event-filters">
${inputField('Keywords', 'Keywords', first(filters, 'Keywords'), { attributes: html` placeholder="Name or ISIN" maxlength="500"` })}
${chooser('CorporateActionTypes', filters, choices, 'All')}
${chooser('ElectionStatuses', filters, choices, 'Any')}
${chooser('EventStatus', filters, choices, 'Any')}
${hasOrder && [chooser('SortColumn', filters, choices), chooser('SortType', filters, choices)]}
</div>
<details class="fold"${active > 0 && html` open`}><summary>More filters${active > 0 && html` <span class="tag accent">${active} active</span>`}</summary>
${moreFilters(form)}
</details>
<div class="row"><button class="button">Apply</button><a href="${hrefWith(action, new Map(), kept)}">Clear all</a></div>
</form>`
}

function moreFilters({ filters, choices, top, hasOrder }: FilterForm): Html {
  return html`<div class="more-filters">
${checks('EventTypes', filters, choices)}
${checks('AssetTypes', filters, choices)}
${checks('EventStates', filters, choices)}
<fieldset class="dates"><legend>Dates, from and to</legend><div>
${ranges.map(([name, from, to]) => html`<p>${name}</p>${dayInput(from, filters)}${dayInput(to, filters)}`)}
</div></fieldset>
<fieldset class="scope"><legend>Scope</legend>
${chooser('AccountKey', filters, choices, 'All accounts')}
${chooser('AccountGroupKey', filters, choices, 'All groups')}
${inputField('ClientKey', 'Client (ClientKey)', first(filters, 'ClientKey'), { attributes: html` maxlength="100" placeholder="Your own"` })}
${check('IncludeSubAccounts', 'true', 'Include accounts of sub-clients', filters.has('IncludeSubAccounts'))}
${check('IncludeLapsedEvents', 'true', 'Include lapsed events', filters.has('IncludeLapsedEvents'))}
${hasOrder && selectField('$top', 'Rows per page', pageSizes(top), top)}
</fieldset></div>`
}

const ranges = [
  ['Deadline', 'FromDeadlineDate', 'ToDeadlineDate'],
  ['Ex date', 'FromExDate', 'ToExDate'],
  ['Payment', 'FromPayDate', 'ToPayDate'],
  ['Record date', 'FromRecordDate', 'ToRecordDate'],
] as const satisfies readonly (readonly [string, FilterName, FilterName])[]

function dayInput(name: FilterName, filters: Filters): Html {
  const value = first(filters, name) ?? ''
  // A date field would hide an invalid value, which the error message refers to.
  const type = value === '' || isDate(value) ? 'date' : 'text'
  return html`<label class="day" for="f-${name}">${hiddenText(filterFields[name].label)}<input id="f-${name}" name="${name}" type="${type}" value="${value}"></label>`
}

/** A select. Values from the URL that are not among the choices are added. */
function chooser(name: FilterName, filters: Filters, choices: Choices, none?: string): Html {
  const given = filters.get(name)?.join(',') ?? ''
  const known: readonly Choice[] = [...(none === undefined ? [] : [['', none] as const]), ...(choices[name] ?? [])]
  const chosen = known.find(([value]) => isSame(value, given))
  const all = chosen || given === '' ? known : [...known, [given, given.replaceAll(',', ', ')] as const]
  return selectField(name, filterFields[name].label, all, chosen?.[0] ?? given)
}

function pageSizes(top: string | undefined): Choice[] {
  const known = ['50', '100', '250', '1000']
  const more = top !== undefined && !known.includes(top) ? [top] : []
  return [['', '25'], ...[...known, ...more].map((value) => [value, value] as const)]
}

/** Checkboxes, the checked ones first. Values from the URL that do not occur are added. */
function checks(name: FilterName, filters: Filters, choices: Choices): Html {
  const offered = choices[name] ?? []
  const values = filters.get(name) ?? []
  const isOn = ([value]: Choice) => values.some((one) => isSame(one, value))
  const others = values.filter((value) => !offered.some(([choice]) => isSame(choice, value)))
  const all = [
    ...others.map((value) => [value, value] as const),
    ...offered.filter(isOn),
    ...offered.filter((choice) => !isOn(choice)),
  ]
  const { label } = filterFields[name]
  return html`<fieldset class="checks"><legend>${label}</legend><div tabindex="0" role="group" aria-label="${label}">
${all.map((choice) => check(name, choice[0], choice[1], isOn(choice)))}</div></fieldset>`
}

const check = (name: string, value: string, label: string, isOn: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> <span>${label}</span></label>`

/** The active filters, each with a link that removes it. */
export function filterChips(
  path: string,
  filters: Filters,
  choices: Choices,
  more: Record<string, string>,
): Html | undefined {
  const chips = chipsOf(filters, choices)
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Active filters">${chips.map(
    ({ text, without }) =>
      html`<li><a class="chip-off" href="${hrefWith(path, without, more)}">${hiddenText('Remove ')}<bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>`,
  )}${chips.length > 1 && html`<li><a class="small" href="${hrefWith(path, new Map(), more)}">Clear all</a></li>`}</ul>`
}
