import type { EventsQuery } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { formatQuery, listItems } from '../../../http/input/query.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { hiddenText } from '../../shared/elements.ts'
import type { Choice } from '../../shared/fields.ts'
import { day, words } from '../../shared/format.ts'

export type FilterName = Exclude<keyof EventsQuery, '$top' | '$skip' | '$skiptoken' | '$inlinecount' | 'AsOf'>
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
  if (kind === 'many') return [...new Set(listItems(values))]
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

/** The filters that do not select accounts, without the order. */
export const withoutScope = (filters: Filters): Filters =>
  new Map([...withoutOrder(filters)].filter(([name]) => !scopeNames.includes(name)))

export const withoutOrder = (filters: Filters): Filters =>
  new Map([...filters].filter(([name]) => filterFields[name].kind !== 'order'))

/** `hidden`: filters that something else on the page shows. */
export function chipsOf(
  filters: Filters,
  choices: Choices,
  hidden: readonly FilterName[] = [],
): { text: string; without: Filters }[] {
  const shown = [...withoutOrder(filters)].filter(([name]) => !hidden.includes(name))
  return shown.flatMap(([name, values]) =>
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

export function filterChips(
  path: string,
  { filters, choices, hidden = [] }: Filtered & Readonly<{ hidden?: readonly FilterName[] }>,
  more: Record<string, string> = {},
): Html | undefined {
  const chips = chipsOf(filters, choices, hidden)
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Active filters">${chips.map(
    ({ text, without }) =>
      html`<li><a class="chip-off" href="${hrefWith(path, without, more)}">${hiddenText('Remove ')}<bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>`,
  )}${chips.length > 1 && html`<li><a class="small" href="${hrefWith(path, new Map(), more)}">Clear all</a></li>`}</ul>`
}
