import { invalid } from '../../core/problem.ts'
import { type Cursor, isTextColumn, type Order } from '../rules/order.ts'

/** `$skiptoken`: opaque, and valid only for the order it was made in. */
export function formatCursor({ column, type }: Order, { value, eventId }: Cursor): string {
  return Buffer.from(JSON.stringify([column, type, value, eventId])).toString('base64url')
}

export function parseCursor(token: string | undefined, order: Order): Cursor | undefined {
  if (token === undefined) return undefined
  const [column, type, value = '', eventId] = decodeTexts(token)
  const isValue = isTextColumn(order.column) || /^-?\d{1,400}(\.\d{1,400})?$/.test(value)
  if (eventId !== undefined && isValue && column === order.column && type === order.type) return { value, eventId }
  throw invalid({ $skiptoken: ['Must be the unchanged value from __next, with the same SortColumn and SortType.'] })
}

function decodeTexts(token: string): string[] {
  try {
    const texts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(texts) && texts.every(isStorable) ? texts : []
  } catch {
    return []
  }
}

/** PostgreSQL rejects U+0000 and lone surrogates in text. */
const isStorable = (text: unknown): text is string =>
  typeof text === 'string' && text.isWellFormed() && !text.includes('\0')
