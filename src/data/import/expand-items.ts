import type { Item } from '../sources/records.ts'
import { Expander, ExpansionError } from './expand.ts'

export async function* expandItems(batches: AsyncIterable<Item[]>, expander: Expander): AsyncGenerator<Item[]> {
  for await (const batch of batches) yield batch.flatMap((item) => expandItem(item, expander) ?? [])
}

/** Undefined for a line that only defines terms. Malformed lines are left to the check that follows. */
function expandItem(item: Item, expander: Expander): Item | undefined {
  const value = valueOf(item)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return item
  try {
    const record = expander.expand(value as Record<string, unknown>)
    return record && { line: item.line, value: record }
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error
    const { kind } = value as { kind?: unknown }
    return { line: item.line, field: error.field, error: error.message, ...(typeof kind === 'string' && { kind }) }
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
