import { invalid } from '../../core/problem.ts'
import type { SortColumn, SortType } from './enums.ts'

export type Order = Readonly<{ column: SortColumn; type: SortType }>
/** Where a page ended: the value it is sorted by, as the store tells it, and the event. */
export type Cursor = Readonly<{ value: string; eventId: string }>

const textColumns: readonly SortColumn[] = ['CorporateActionType', 'EventId', 'EventType', 'InstrumentDescription']
export const isTextColumn = (column: SortColumn): boolean => textColumns.includes(column)

/** `$skiptoken`: told so that nobody comes to rely on what it says. It holds for the order it was made in. */
export function formatCursor({ column, type }: Order, { value, eventId }: Cursor): string {
  return Buffer.from(JSON.stringify([column, type, value, eventId])).toString('base64url')
}

export function parseCursor(token: string | undefined, order: Order): Cursor | undefined {
  if (token === undefined) return undefined
  const [column, type, value = '', eventId] = partsOf(token)
  const isValue = isTextColumn(order.column) || /^-?\d{1,400}(\.\d{1,400})?$/.test(value)
  if (eventId !== undefined && isValue && column === order.column && type === order.type) return { value, eventId }
  throw invalid({ $skiptoken: ['Must be taken from __next as it is, with the same SortColumn and SortType.'] })
}

/** Texts that the database can keep. */
function partsOf(token: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(parts) && parts.every(isPart) ? parts : []
  } catch {
    return []
  }
}

const isPart = (part: unknown): part is string =>
  typeof part === 'string' && part.isWellFormed() && !part.includes('\0')
