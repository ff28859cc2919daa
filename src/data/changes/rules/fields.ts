type Members = Readonly<Record<string, unknown>>

/** How an instrument is offered, or where an option root is listed; of an event, its instrument. */
export type Pair = readonly [assetType: string, exchangeOrUic: string]

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (_name: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value

/** Whether two values are equal, whatever the order of members: PostgreSQL may have changed it. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || JSON.stringify(one, sorted) === JSON.stringify(other, sorted)

/** The members that differ, without their values. Of an instrument also those of each asset type, such as `As[Stock]`. */
export function changedFields(before: Members, after: Members): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    if (isSame(before[name], after[name])) return []
    return name === 'As' ? changedTypes(typesOf(before.As), typesOf(after.As)) : [name]
  })
}

type Types = ReadonlyMap<string, Members>

const typesOf = (entries: unknown): Types =>
  new Map(((entries ?? []) as Members[]).map((entry) => [String(entry.AssetType), entry]))

function changedTypes(before: Types, after: Types): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (type) => !isSame(before.get(type), after.get(type)),
  )
  return changed.map((type) => `As[${type}]`)
}

/** What decides who may see a record. */
export function pairsOf(kind: string, record: Members): Pair[] {
  if (kind === 'instrument')
    return [...typesOf(record.As)].map(([type, { ExchangeId }]) => [
      type,
      String(ExchangeId ?? record.ExchangeId ?? ''),
    ])
  if (kind === 'optionRoot') return [[String(record.AssetType), String(record.ExchangeId)]]
  if (kind === 'event') return [[String(record.AssetType), String(record.Uic)]]
  return []
}
