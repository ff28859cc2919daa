type Members = Readonly<Record<string, unknown>>

/** A field that differs. Without `before` it was added, without `after` removed. */
export type Difference = Readonly<{ name: string; before?: unknown; after?: unknown }>

/** Members that identify the elements of a list: As by AssetType, Series by Expiry, Options by Uic or OptionId, and so on. */
const keys = ['AssetType', 'Expiry', 'Uic', 'OptionId', 'AccountGroupKey', 'Date', 'Code']

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields in which two records differ, with the path of each: `Description`, `As[Stock].TickSize` (§9.5). */
export function differences(before: Members, after: Members): Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  return found
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (isObject(before) && isObject(after)) {
    const members = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const name of members) compare(path === '' ? name : `${path}.${name}`, before[name], after[name], found)
    return
  }
  const key = keyOf(before, after)
  if (key !== undefined) {
    const [old, now] = [byKey(before as Members[], key), byKey(after as Members[], key)]
    for (const name of new Set([...old.keys(), ...now.keys()]))
      compare(`${path}[${name}]`, old.get(name), now.get(name), found)
    return
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return
  found.push({ name: path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
}

/** The member that identifies the elements of both lists. */
function keyOf(before: unknown, after: unknown): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  return keys.find((key) => [before, after].every((list) => isKeyed(list, key)))
}

const isKeyed = (list: readonly unknown[], key: string): boolean => {
  const values = list.map((element) => (isObject(element) ? element[key] : undefined))
  return !values.includes(undefined) && new Set(values).size === values.length
}

const byKey = (list: readonly Members[], key: string): Map<string, Members> =>
  new Map(list.map((element) => [String(element[key]), element]))
