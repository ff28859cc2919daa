import type { EventsQuery } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { formatQuery } from '../../../http/input/query.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { hiddenText } from '../../shared/elements.ts'
import { type Choice, hiddenField, inputField, selectField } from '../../shared/fields.ts'
import { day, words } from '../../shared/format.ts'

export type FilterName = Exclude<keyof EventsQuery, '$top' | '$skip' | '$skiptoken' | '$inlinecount'>
type Kind = 'text' | 'one' | 'many' | 'day' | 'flag' | 'order'

/** Every filter of operation 7; `satisfies` makes a missing one a type error. */
export const filterFields = {
  Keywords: { label: 'Keywords', kind: 'text' },
  CorporateActionTypes: { label: 'Participation', kind: 'many' },
  ElectionStatuses: { label: 'Election', kind: 'many' },
  EventStatus: { label: 'Status', kind: 'one' },
  EventTypes: { label: 'Event type', kind: 'many' },
  AssetTypes: { label: 'Asset type', kind: 'many' },
  EventStates: { label: 'State', kind: 'many' },
  FromDeadlineDate: { label: 'Deadline from', kind: 'day' },
  ToDeadlineDate: { label: 'Deadline to', kind: 'day' },
  FromExDate: { label: 'Ex date from', kind: 'day' },
  ToExDate: { label: 'Ex date to', kind: 'day' },
  FromPayDate: { label: 'Payment from', kind: 'day' },
  ToPayDate: { label: 'Payment to', kind: 'day' },
  FromRecordDate: { label: 'Record date from', kind: 'day' },
  ToRecordDate: { label: 'Record date to', kind: 'day' },
  AccountKey: { label: 'Account', kind: 'one' },
  AccountGroupKey: { label: 'Account group', kind: 'one' },
  ClientKey: { label: 'Client', kind: 'text' },
  IncludeSubAccounts: { label: 'Including sub-clients', kind: 'flag' },
  IncludeLapsedEvents: { label: 'Including lapsed events', kind: 'flag' },
  SortColumn: { label: 'Sort by', kind: 'order' },
  SortType: { label: 'Order', kind: 'order' },
} as const satisfies Record<FilterName, { label: string; kind: Kind }>

export const filterNames = Object.keys(filterFields) as FilterName[]

export type Filters = ReadonlyMap<FilterName, readonly string[]>
export type Choices = Partial<Record<FilterName, readonly Choice[]>>
type Filtered = Readonly<{ filters: Filters; choices: Choices }>

export function parseFilters(valuesOf: (name: string) => readonly string[]): Filters {
  return new Map(
    filterNames.flatMap((name) => {
      const values = parseValues(filterFields[name].kind, valuesOf(name))
      return values.length > 0 ? [[name, values] as const] : []
    }),
  )
}

/** Lists are comma-separated or repeated, as in the API. */
function parseValues(kind: Kind, values: readonly string[]): string[] {
  if (kind === 'many') return [...new Set(values.flatMap((value) => value.split(',')).filter((value) => value !== ''))]
  if (kind === 'flag') return values[0]?.toLowerCase() === 'true' ? ['true'] : []
  return values.slice(0, 1).filter((value) => value !== '')
}

export const first = (filters: Filters, name: FilterName): string | undefined => filters.get(name)?.[0]

export const parametersOf = (filters: Filters): Record<string, string> =>
  Object.fromEntries([...filters].map(([name, values]) => [name, values.join(',')]))

/** A link with these filters and more parameters; undefined removes one. */
export function hrefWith(path: string, filters: Filters, more: Record<string, string | undefined> = {}): string {
  const all = Object.entries({ ...parametersOf(filters), ...more })
  const given = all.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, [value]]]))
  const query = formatQuery(Object.fromEntries(given))
  return query === '' ? path : `${path}?${query}`
}

/** The filters that select accounts. They decide what is visible at all, so every link keeps them. */
const scopeNames: readonly FilterName[] = ['ClientKey', 'AccountKey', 'AccountGroupKey', 'IncludeSubAccounts']
export const scopeOnly = (filters: Filters): Filters =>
  new Map([...filters].filter(([name]) => scopeNames.includes(name)))

export const withoutOrder = (filters: Filters): Filters =>
  new Map([...filters].filter(([name]) => filterFields[name].kind !== 'order'))

export function chipsOf(filters: Filters, choices: Choices): { text: string; without: Filters }[] {
  return [...withoutOrder(filters)].flatMap(([name, values]) =>
    values.map((value) => ({ text: chipText(name, value, choices), without: withoutValue(filters, name, value) })),
  )
}

function withoutValue(filters: Filters, name: FilterName, value: string): Filters {
  const rest = (filters.get(name) ?? []).filter((one) => one !== value)
  const others = [...filters].filter(([other]) => other !== name)
  return new Map(rest.length > 0 ? [...others, [name, rest] as const] : others)
}

function chipText(name: FilterName, value: string, choices: Choices): string {
  const { label, kind } = filterFields[name]
  if (kind === 'flag') return label
  if (kind === 'day') return `${label} ${dayOrText(value)}`
  const known = choices[name]?.find(([choice]) => isSame(choice, value))?.[1]
  return `${label}: ${known ?? (name === 'AssetTypes' ? assetTypeName(value) : words(value))}`
}

function dayOrText(value: string): string {
  try {
    return day(value)
  } catch {
    return value
  }
}

export const isDate = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text)

export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The form of all filters. It uses GET, so its results have a URL. */
export type FilterForm = Filtered &
  Readonly<{
    action: string
    kept?: Readonly<Record<string, string>>
    top?: string | undefined
    /** False for months and calendars, which have a fixed order. */
    hasOrder: boolean
  }>

const alwaysVisible = ['Keywords', 'CorporateActionTypes', 'ElectionStatuses', 'EventStatus', 'SortColumn', 'SortType']

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

function checks(name: FilterName, filters: Filters, choices: Choices): Html {
  const offered = choices[name] ?? []
  const values = filters.get(name) ?? []
  const isOn = ([value]: Choice) => values.some((one) => isSame(one, value))
  const others = values.filter((value) => !offered.some(([choice]) => isSame(choice, value)))
  const known = offered.toSorted((a, b) => Number(isOn(b)) - Number(isOn(a)))
  const all = [...others.map((value) => [value, value] as const), ...known]
  const { label } = filterFields[name]
  return html`<fieldset class="checks"><legend>${label}</legend><div tabindex="0" role="group" aria-label="${label}">
${all.map((choice) => check(name, choice[0], choice[1], isOn(choice)))}</div></fieldset>`
}

const check = (name: string, value: string, label: string, isOn: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> <span>${label}</span></label>`

export function filterChips(path: string, { filters, choices }: Filtered, more: Record<string, string> = {}) {
  const chips = chipsOf(filters, choices)
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Active filters">${chips.map(
    ({ text, without }) =>
      html`<li><a class="chip-off" href="${hrefWith(path, without, more)}">${hiddenText('Remove ')}<bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>`,
  )}${chips.length > 1 && html`<li><a class="small" href="${hrefWith(path, new Map(), more)}">Clear all</a></li>`}</ul>`
}
