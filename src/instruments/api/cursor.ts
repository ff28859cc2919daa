import { invalid } from '../../core/problem.ts'
import type { DetailPlace } from '../catalogue/search/find-details.ts'
import type { Place } from '../catalogue/search/search.ts'

/** `$skiptoken`: the place where a page ended, told so that nobody comes to rely on what it says. */
const write = (numbers: readonly number[]): string => Buffer.from(numbers.join('.')).toString('base64url')

function read(token: string, count: number): number[] {
  const numbers = Buffer.from(token, 'base64url').toString().split('.')
  if (numbers.length === count && numbers.every((text) => /^\d{1,10}$/.test(text))) return numbers.map(Number)
  throw invalid({ $skiptoken: ['Must be taken from __next as it is.'] })
}

export const placeToken = ({ class: matched, rank, id, kind, type }: Place): string =>
  write([matched, rank, id, kind, type])

export function placeIn(token: string | undefined): Place | undefined {
  if (token === undefined) return undefined
  const [matched = 0, rank = 0, id = 0, kind = 0, type = 0] = read(token, 5)
  return { class: matched, rank, id, kind, type }
}

export const detailPlaceToken = ({ uic, type }: DetailPlace): string => write([uic, type])

export function detailPlaceIn(token: string | undefined): DetailPlace | undefined {
  if (token === undefined) return undefined
  const [uic = 0, type = 0] = read(token, 2)
  return { uic, type }
}
