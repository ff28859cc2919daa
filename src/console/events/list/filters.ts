import type { EventsQuery } from '../../../events/api/schema.ts'
import { formatQuery } from '../../../http/input/query.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import type { Choice } from '../../shared/elements.ts'
import { day, words } from '../../shared/format.ts'

/** All that a list of events can be asked for; paging apart. */
export type FilterName = Exclude<keyof EventsQuery, '$top' | '$skip' | '$skiptoken' | '$inlinecount'>
type Kind = 'text' | 'one' | 'many' | 'day' | 'yes' | 'order'

/** Every filter of operation 7 has its place here: the compiler refuses a list that lacks one. */
export const filters = {
  Keywords: { label: 'Words', kind: 'text' },
  CorporateActionTypes: { label: 'Kind', kind: 'many' },
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
  IncludeSubAccounts: { label: 'With clients below', kind: 'yes' },
  IncludeLapsedEvents: { label: 'With lapsed events', kind: 'yes' },
  SortColumn: { label: 'Sort by', kind: 'order' },
  SortType: { label: 'Order', kind: 'order' },
} as const satisfies Record<FilterName, { label: string; kind: Kind }>

const names = Object.keys(filters) as FilterName[]

/** What the address asks for, by filter; a filter that is not asked for is not in it. */
export type Asked = ReadonlyMap<FilterName, readonly string[]>
export type Choices = Partial<Record<FilterName, readonly Choice[]>>

export function askedFilters(valuesOf: (name: string) => readonly string[]): Asked {
  return new Map(
    names.flatMap((name) => {
      const values = readAs(filters[name].kind, valuesOf(name))
      return values.length > 0 ? [[name, values] as const] : []
    }),
  )
}

/** Lists come comma separated or repeated, as in the API. */
function readAs(kind: Kind, values: readonly string[]): string[] {
  if (kind === 'many') return [...new Set(values.flatMap((value) => value.split(',')).filter((value) => value !== ''))]
  if (kind === 'yes') return values[0]?.toLowerCase() === 'true' ? ['true'] : []
  return values.slice(0, 1).filter((value) => value !== '')
}

export const first = (asked: Asked, name: FilterName): string | undefined => asked.get(name)?.[0]

/** As the API takes them. */
export const parametersOf = (asked: Asked): Record<string, string> =>
  Object.fromEntries([...asked].map(([name, values]) => [name, values.join(',')]))

/** An address with these filters and more; undefined takes one away. */
export function hrefWith(path: string, asked: Asked, more: Record<string, string | undefined> = {}): string {
  const all = Object.entries({ ...parametersOf(asked), ...more })
  const given = all.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, [value]]]))
  const query = formatQuery(Object.fromEntries(given))
  return query === '' ? path : `${path}?${query}`
}

/** Which accounts are looked at: it decides what can be seen at all, and goes with every link. */
const scopes: readonly FilterName[] = ['ClientKey', 'AccountKey', 'AccountGroupKey', 'IncludeSubAccounts']
export const scopeOnly = (asked: Asked): Asked => new Map([...asked].filter(([name]) => scopes.includes(name)))

/** What narrows a list: all that is asked for but the order. */
export const narrowing = (asked: Asked): Asked => new Map([...asked].filter(([name]) => filters[name].kind !== 'order'))

/** One thing that narrows the list, in words, and the filters without it. */
export type Chip = Readonly<{ text: string; without: Asked }>

export function chipsOf(asked: Asked, choices: Choices): Chip[] {
  return [...narrowing(asked)].flatMap(([name, values]) =>
    values.map((value) => ({ text: chipText(name, value, choices), without: without(asked, name, value) })),
  )
}

function without(asked: Asked, name: FilterName, value: string): Asked {
  const rest = (asked.get(name) ?? []).filter((one) => one !== value)
  const others = [...asked].filter(([other]) => other !== name)
  return new Map(rest.length > 0 ? [...others, [name, rest] as const] : others)
}

function chipText(name: FilterName, value: string, choices: Choices): string {
  const { label, kind } = filters[name]
  if (kind === 'yes') return label
  if (kind === 'day') return `${label} ${dayOrText(value)}`
  const known = choices[name]?.find((choice) => isSame(choice.value, value))?.name
  return `${label}: ${known ?? (name === 'AssetTypes' ? assetTypeName(value) : words(value))}`
}

/** What was typed may be no day; the refusal beside says so. */
export function dayOrText(value: string): string {
  try {
    return day(value)
  } catch {
    return value
  }
}

/** Values are taken in any case. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
