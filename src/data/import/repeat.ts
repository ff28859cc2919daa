import { maxLineLength } from '../sources/lines.ts'
import { ExpansionError } from './expand.ts'

type Members = Record<string, unknown>

const maxCount = 10_000
const tooLong = `Stands for more than ${maxLineLength / 1024 / 1024} MB of records. Use several lines.`
const reason =
  `Must be {"Count": 1 to ${maxCount}}, or {"Count", "From"} with the first number. Texts of the record have the number ` +
  'where they say {n}.'

/** The records that a line stands for: itself, or as many as its `Repeat` says. In each, `{n}` in texts is its number (§9.4).
 *  Throws an ExpansionError. */
export function* repeated({ Repeat, ...record }: Members): Generator<Members> {
  if (Repeat === undefined) return yield record
  const { from, count } = readRepeat(Repeat)
  const text = JSON.stringify(record)
  if (text.length * count > maxLineLength) throw new ExpansionError('Repeat', tooLong)
  for (let number = from; number < from + count; number++)
    yield JSON.parse(text.replaceAll('{n}', String(number))) as Members
}

function readRepeat(given: unknown): { from: number; count: number } {
  if (typeof given !== 'object' || given === null) throw new ExpansionError('Repeat', reason)
  const { Count, From = 1, ...others } = given as Members
  const isNumber = (value: unknown, least: number, most: number): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
  if (!isNumber(Count, 1, maxCount) || !isNumber(From, 0, 999_999_999) || Object.keys(others).length > 0)
    throw new ExpansionError('Repeat', reason)
  return { from: From, count: Count }
}
