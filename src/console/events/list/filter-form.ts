import { type Html, html } from '../../../http/html/html.ts'
import { type Choice, inputField, selectField } from '../../shared/elements.ts'
import { type Asked, type Choices, chipsOf, type FilterName, filters, first, hrefWith, isSame } from './filters.ts'

/** The form of all filters. It asks by GET, so that what it finds has an address. */
export type FilterForm = Readonly<{
  action: string
  asked: Asked
  choices: Choices
  /** What belongs to the page's address besides the filters. */
  kept?: Readonly<Record<string, string>>
  top: string | undefined
  /** A month and a calendar have an order of their own. */
  hasOrder: boolean
}>

const inView: readonly FilterName[] = [
  ...(['Keywords', 'CorporateActionTypes', 'ElectionStatuses', 'EventStatus', 'SortColumn', 'SortType'] as const),
]

export function filterForm(form: FilterForm): Html {
  const { action, asked, choices, kept = {}, top, hasOrder } = form
  const hidden = Object.keys(filters) as FilterName[]
  const used = hidden.filter((name) => asked.has(name) && !inView.includes(name)).length + (top === undefined ? 0 : 1)
  return html`<form class="card flow" method="get" action="${action}" role="search" aria-label="Corporate actions">
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="filters event-filters">
${inputField('Keywords', 'Words', first(asked, 'Keywords'), { attributes: html` placeholder="Name or ISIN" maxlength="500"` })}
${chooser('CorporateActionTypes', asked, choices, 'All')}
${chooser('ElectionStatuses', asked, choices, 'Any')}
${chooser('EventStatus', asked, choices, 'Any')}
${hasOrder && [chooser('SortColumn', asked, choices), chooser('SortType', asked, choices)]}
</div>
<details class="fold"${used > 0 && html` open`}><summary>More filters${used > 0 && html` <span class="tag accent">${used} in use</span>`}</summary>
${moreFilters(form)}
</details>
<div class="row"><button class="button">Show</button><a href="${hrefWith(action, new Map(), kept)}">Clear all</a></div>
</form>`
}

function moreFilters({ asked, choices, top, hasOrder }: FilterForm): Html {
  return html`<div class="more-filters">
${checks('EventTypes', asked, choices)}
${checks('AssetTypes', asked, choices)}
${checks('EventStates', asked, choices)}
<fieldset class="dates"><legend>Dates, from and to</legend><div>
${ranges.map(([name, from, to]) => html`<p>${name}</p>${dayInput(from, asked)}${dayInput(to, asked)}`)}
</div></fieldset>
<fieldset class="whose"><legend>Whose, and how much</legend>
${chooser('AccountKey', asked, choices, 'All accounts')}
${chooser('AccountGroupKey', asked, choices, 'All groups')}
${inputField('ClientKey', 'Client (ClientKey)', first(asked, 'ClientKey'), { attributes: html` maxlength="100" placeholder="Yours"` })}
${check('IncludeSubAccounts', 'true', 'With the accounts of clients below', asked.has('IncludeSubAccounts'))}
${check('IncludeLapsedEvents', 'true', 'With events that have lapsed', asked.has('IncludeLapsedEvents'))}
${hasOrder && selectField('$top', 'Rows on a page', pageSizes(top), top)}
</fieldset></div>`
}

const ranges = [
  ['Deadline', 'FromDeadlineDate', 'ToDeadlineDate'],
  ['Ex date', 'FromExDate', 'ToExDate'],
  ['Payment', 'FromPayDate', 'ToPayDate'],
  ['Record date', 'FromRecordDate', 'ToRecordDate'],
] as const satisfies readonly (readonly [string, FilterName, FilterName])[]

function dayInput(name: FilterName, asked: Asked): Html {
  const value = first(asked, name) ?? ''
  // What is no day is shown as it was typed: a date field would hide it, and the refusal speaks of it.
  const type = value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text'
  return html`<label class="day" for="f-${name}"><span class="unseen">${filters[name].label}</span><input id="f-${name}" name="${name}" type="${type}" value="${value}"></label>`
}

/** One of a few; a combination that the address has and the list has not is a choice too. */
function chooser(name: FilterName, asked: Asked, choices: Choices, nothing?: string): Html {
  const given = asked.get(name)?.join(',') ?? ''
  const known = [...(nothing === undefined ? [] : [{ value: '', name: nothing }]), ...(choices[name] ?? [])]
  const chosen = known.find(({ value }) => isSame(value, given))
  const all = chosen || given === '' ? known : [...known, { value: given, name: given.replaceAll(',', ', ') }]
  return selectField(name, filters[name].label, all, chosen?.value ?? given)
}

const pageSizes = (top: string | undefined): Choice[] => {
  const known = ['50', '100', '250', '1000']
  const more = top !== undefined && !known.includes(top) ? [top] : []
  return [{ value: '', name: '25' }, ...[...known, ...more].map((value) => ({ value, name: value }))]
}

/** Several of many, those that are asked for first; they stay on offer, also where nothing of them occurs. */
function checks(name: FilterName, asked: Asked, choices: Choices): Html {
  const offered = choices[name] ?? []
  const isOn = (choice: Choice) => (asked.get(name) ?? []).some((value) => isSame(value, choice.value))
  const others = (asked.get(name) ?? [])
    .filter((value) => !offered.some((choice) => isSame(choice.value, value)))
    .map((value) => ({ value, name: value }))
  const all = [...others, ...offered.filter(isOn), ...offered.filter((choice) => !isOn(choice))]
  const { label } = filters[name]
  return html`<fieldset class="checks"><legend>${label}</legend><div tabindex="0" role="group" aria-label="${label}">
${all.map((choice) => check(name, choice.value, choice.name, isOn(choice)))}</div></fieldset>`
}

const check = (name: string, value: string, label: string, isOn: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> <span>${label}</span></label>`

/** What narrows the list now, each with a way to be without it. */
export function filterChips(
  path: string,
  asked: Asked,
  choices: Choices,
  more: Record<string, string>,
): Html | undefined {
  const chips = chipsOf(asked, choices)
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Filters in use">${chips.map(
    ({ text, without }) =>
      html`<li><a class="chip-off" href="${hrefWith(path, without, more)}"><span class="unseen">Remove </span><bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>`,
  )}${chips.length > 1 && html`<li><a class="small" href="${hrefWith(path, new Map(), more)}">Clear all</a></li>`}</ul>`
}
