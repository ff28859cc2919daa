import { type Html, html } from '../../../http/html/html.ts'
import { hiddenText } from '../../shared/elements.ts'
import { type Choice, hiddenField, inputField, selectField } from '../../shared/fields.ts'
import * as filtering from './filters.ts'

type Filters = filtering.Filters
type FilterName = filtering.FilterName

/** One row above a table: the search, its filters as chips, and all others behind More. It uses GET, so its results have
 *  a URL. */
export type FilterForm = Readonly<{
  action: string
  filters: Filters
  choices: filtering.Choices
  kept?: Readonly<Record<string, string>>
  top?: string | undefined
  /** Filters that a tab shows, so that no chip does. */
  hidden?: readonly FilterName[]
  /** False for months and timelines, which have a fixed order. */
  hasPages: boolean
}>

export function toolbar(form: FilterForm, more: { start?: Html; end?: Html; isOpen?: boolean } = {}): Html {
  const { action, filters, choices, kept = {}, top, hidden = [] } = form
  const order = [...filters].filter(([name]) => filtering.filterFields[name].kind === 'order')
  const chips = filtering.filterChips(action, { filters, choices, hidden }, { ...kept, ...(top && { $top: top }) })
  return html`<form class="event-bar" method="get" action="${action}" role="search" aria-label="Corporate actions">
${Object.entries(kept).map(([name, value]) => hiddenField(name, value))}${order.map(([name, values]) => hiddenField(name, values.join(',')))}
${more.start}
<label class="bar-search"><span class="unseen">Keywords</span><input id="f-Keywords" name="Keywords" type="search" value="${filtering.first(filters, 'Keywords') ?? ''}" placeholder="Name, symbol or ISIN" maxlength="500"></label>
${quickChip(form, 'Voluntary')}
<details class="pop"${more.isOpen && html` open`}><summary class="chip-button">More<span class="unseen"> filters</span></summary><div class="card pop-panel">${panel(form)}
<div class="row"><button class="button">Apply</button><a href="${filtering.hrefWith(action, new Map(), kept)}">Clear all</a></div></div></details>
${chips}
${more.end}
</form>`
}

/** Only events in which holders can take part: the filter used most. */
function quickChip({ action, filters, kept = {} }: FilterForm, value: string): Html | undefined {
  if (filters.has('CorporateActionTypes')) return undefined
  const href = filtering.hrefWith(action, filters, { ...kept, CorporateActionTypes: value })
  return html`<a class="chip-button" href="${href}"><span aria-hidden="true">+</span>${value}</a>`
}

function panel({ filters, choices, top, hasPages }: FilterForm): Html {
  return html`<div class="more-filters">
<fieldset class="scope"><legend class="unseen">Status</legend>
${chooser('CorporateActionTypes', filters, choices, 'All')}
${chooser('ElectionStatuses', filters, choices, 'Any')}
${chooser('EventStatus', filters, choices, 'Any')}
${check('IncludeLapsedEvents', 'true', 'Include lapsed events', filters.has('IncludeLapsedEvents'))}</fieldset>
${checks('EventTypes', filters, choices)}
${checks('AssetTypes', filters, choices)}
${checks('EventStates', filters, choices)}
<fieldset class="dates"><legend>Dates, from and to</legend><div>
${ranges.map(([name, from, to]) => html`<p>${name}</p>${dayInput(from, filters)}${dayInput(to, filters)}`)}
</div></fieldset>
<fieldset class="scope"><legend>Scope</legend>
${chooser('AccountKey', filters, choices, 'All accounts')}
${chooser('AccountGroupKey', filters, choices, 'All groups')}
${inputField('ClientKey', 'Client (ClientKey)', filtering.first(filters, 'ClientKey'), { attributes: html` maxlength="100" placeholder="Your own"` })}
${check('IncludeSubAccounts', 'true', 'Include accounts of sub-clients', filters.has('IncludeSubAccounts'))}
${hasPages && selectField('$top', 'Rows per page', pageSizes(top), top)}
</fieldset></div>`
}

const ranges = [
  ['Deadline', 'FromDeadlineDate', 'ToDeadlineDate'],
  ['Ex date', 'FromExDate', 'ToExDate'],
  ['Payment', 'FromPayDate', 'ToPayDate'],
  ['Record date', 'FromRecordDate', 'ToRecordDate'],
] as const satisfies readonly (readonly [string, FilterName, FilterName])[]

function dayInput(name: FilterName, filters: Filters): Html {
  const value = filtering.first(filters, name) ?? ''
  // A date field would hide an invalid value, which the error message refers to.
  const type = value === '' || filtering.isDate(value) ? 'date' : 'text'
  return html`<label class="day" for="f-${name}">${hiddenText(filtering.filterFields[name].label)}<input id="f-${name}" name="${name}" type="${type}" value="${value}"></label>`
}

/** A select. Values from the URL that are not among the choices are added. */
function chooser(name: FilterName, filters: Filters, choices: filtering.Choices, none?: string): Html {
  const given = filters.get(name)?.join(',') ?? ''
  const known: readonly Choice[] = [...(none === undefined ? [] : [['', none] as const]), ...(choices[name] ?? [])]
  const chosen = known.find(([value]) => filtering.isSame(value, given))
  const all = chosen || given === '' ? known : [...known, [given, given.replaceAll(',', ', ')] as const]
  return selectField(name, filtering.filterFields[name].label, all, chosen?.[0] ?? given)
}

function pageSizes(top: string | undefined): Choice[] {
  const known = ['50', '100', '250', '1000']
  const more = top !== undefined && !known.includes(top) ? [top] : []
  return [['', '25'], ...[...known, ...more].map((value) => [value, value] as const)]
}

function checks(name: FilterName, filters: Filters, choices: filtering.Choices): Html {
  const offered = choices[name] ?? []
  const values = filters.get(name) ?? []
  const isOn = ([value]: Choice) => values.some((one) => filtering.isSame(one, value))
  const others = values.filter((value) => !offered.some(([choice]) => filtering.isSame(choice, value)))
  const known = offered.toSorted((a, b) => Number(isOn(b)) - Number(isOn(a)))
  const all = [...others.map((value) => [value, value] as const), ...known]
  const { label } = filtering.filterFields[name]
  return html`<fieldset class="checks"><legend>${label}</legend><div tabindex="0" role="group" aria-label="${label}">
${all.map((choice) => check(name, choice[0], choice[1], isOn(choice)))}</div></fieldset>`
}

const check = (name: string, value: string, label: string, isOn: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> <span>${label}</span></label>`
