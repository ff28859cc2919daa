import type { Item } from '../sources/records.ts'
import { Expander, ExpansionError } from './expand.ts'
import { repeated } from './repeat.ts'

/** A line may stand for many records. */
const maxBatch = 1_000

export async function* expandItems(batches: AsyncIterable<Item[]>, expander: Expander): AsyncGenerator<Item[]> {
  for await (const batch of batches) {
    let items: Item[] = []
    for (const item of batch)
      for (const one of expandItem(item, expander)) {
        items.push(one)
        if (items.length < maxBatch) continue
        yield items
        items = []
      }
    yield items
  }
}

/** Nothing for a line that only defines terms. Malformed lines are left to the check that follows. */
export function expandItem(item: Item, expander: Expander): Iterable<Item> {
  const value = valueOf(item)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [item]
  return expandValue(item.line, value as Record<string, unknown>, expander)
}

function* expandValue(line: number, value: Record<string, unknown>, expander: Expander): Generator<Item> {
  try {
    for (const given of repeated(value)) {
      const record = expander.expand(given)
      if (record) yield { line, value: record }
    }
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error
    const { kind } = value
    yield { line, field: error.field, error: error.message, ...(typeof kind === 'string' && { kind }) }
  }
}

function valueOf(item: Item): unknown {
  if ('value' in item) return item.value
  if (!('text' in item) || !Expander.isNeededFor(item.text)) return undefined
  try {
    return JSON.parse(item.text)
  } catch {
    return undefined
  }
}
