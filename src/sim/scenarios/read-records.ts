import { ownTurn } from '../../core/async/own-turn.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { ErrorList, LineNumbers } from '../../data/import/errors.ts'
import { Expander } from '../../data/import/expand.ts'
import { expandItem } from '../../data/import/expand-items.ts'
import type { Kind } from '../../data/kind.ts'
import type { Item } from '../../data/sources/records.ts'
import { readClosedDays } from '../../data/store/closed-days.ts'
import type { Trx } from '../../database/open.ts'
import { type Line, scenarioLimits } from './text.ts'

type Members = Record<string, unknown>
type Reading = Readonly<{
  kinds: readonly Kind[]
  now: Temporal.Instant
  numbers: LineNumbers
  errors: ErrorList
}>

/** Other requests are served after so many records. */
const itemsAtOnce = 200

/** The complete records of a scenario, and the keys by which they can be removed. */
export async function readRecords(trx: Trx, lines: readonly Line[], reading: Reading) {
  const { kinds, now, numbers, errors } = reading
  const schemas = new Map(kinds.map(({ name, schema }) => [name, schema as Shape]))
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const expander = new Expander({ schemas, today, now, closedDays: await readClosedDays(trx) })
  const [items, keys]: [Item[], Members[]] = [[], []]
  let characters = 0
  for (const { line, text } of lines)
    for (const item of expandItem(itemOf(numbers.at(line), text), expander)) {
      characters += text.length
      if (items.length >= scenarioLimits.records || characters > scenarioLimits.characters) {
        const { records, characters } = scenarioLimits
        const reason = `A scenario has at most ${records} records, of ${characters / 1_048_576} MB together.`
        errors.add({ line: item.line, reason })
        return { items: [], keys: [] }
      }
      items.push(item)
      if (items.length % itemsAtOnce === 0) await ownTurn()
      if ('value' in item) keys.push(...keyOf(item.value as Members, kinds))
    }
  for (const item of items) checkNew(item, errors)
  return { items, keys }
}

/** A line that is no JSON object is left to the check of records. */
function itemOf(line: number, text: string): Item {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { line, value }
  } catch {
    // Reported by the check of records, with its position.
  }
  return { line, text }
}

function keyOf(record: Members, kinds: readonly Kind[]): Members[] {
  const kind = kinds.find(({ name }) => name === record.kind)
  if (!kind) return []
  if (kind.key.length === 0) return [record]
  const members = kind.key.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]] as const]))
  return [{ kind: kind.name, ...Object.fromEntries(members) }]
}

function checkNew(item: Item, errors: ErrorList): void {
  if ('value' in item && (item.value as Members).delete !== undefined)
    errors.add({ line: item.line, field: 'delete', reason: 'A scenario brings records; it cannot delete any.' })
}
