import { invalid } from '../../core/problem.ts'
import type { DetailsCursor } from '../catalogue/search/find-details.ts'
import type { SearchCursor } from '../catalogue/search/walk-rows.ts'

/** `$skiptoken` is opaque, so that callers do not rely on its content. */
const encode = (numbers: readonly number[]): string => Buffer.from(numbers.join('.')).toString('base64url')

function decode(token: string, count: number): number[] {
  const numbers = Buffer.from(token, 'base64url').toString().split('.')
  if (numbers.length === count && numbers.every((text) => /^\d{1,10}$/.test(text))) return numbers.map(Number)
  throw invalid({ $skiptoken: ['Must be copied unchanged from __next.'] })
}

export const formatSearchCursor = ({ class: matched, rank, id, kind, type }: SearchCursor): string =>
  encode([matched, rank, id, kind, type])

export function parseSearchCursor(token: string | undefined): SearchCursor | undefined {
  if (token === undefined) return undefined
  const [matched = 0, rank = 0, id = 0, kind = 0, type = 0] = decode(token, 5)
  return { class: matched, rank, id, kind, type }
}

export const formatDetailsCursor = ({ uic, type }: DetailsCursor): string => encode([uic, type])

export function parseDetailsCursor(token: string | undefined): DetailsCursor | undefined {
  if (token === undefined) return undefined
  const [uic = 0, type = 0] = decode(token, 2)
  return { uic, type }
}
