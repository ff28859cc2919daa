import type { Static } from 'typebox'
import type { DateStatus, PriceType } from '../api/enums.ts'
import type { EventOptionRecord, EventRecord } from '../import/schema.ts'
import { MalformedValue } from './errors.ts'
import { type MessageNode, textOf } from './node.ts'

/** What was read, and the leaves that it tells in full. A leaf of which a member tells only a part is not among them,
 *  so that it is kept as well. */
export type Parsed<T> = Readonly<{ value: T; from: readonly MessageNode[] }>
export type ValueParser<T> = (part: MessageNode) => Parsed<T> | undefined

export type DayOrStatus = { Date?: string; Status?: Static<typeof DateStatus> }
export type Price = { Currency?: string; Type?: Static<typeof PriceType>; Value: number }
/** The leaves of the currency come apart: not every member has a place for it. */
export type Money = Parsed<{ Value: number; Currency: string }> & Readonly<{ currencyFrom: readonly MessageNode[] }>
export type Payout = NonNullable<EventOptionRecord['PayoutBreakdown']>[number]

/** How each format writes the values that events are made of. Undefined is a value that is well formed but that no member
 *  can tell, such as a code of the sender's own; what is malformed is thrown. */
export interface ValueParsers {
  text: ValueParser<string>
  currency: ValueParser<string>
  /** A code of the standard; codes of a sender's own are not understood. */
  code: ValueParser<string>
  flag: ValueParser<boolean>
  /** Days are the market's own: a day is taken as it is written, whatever the offset of its time. */
  day: ValueParser<string>
  date: ValueParser<DayOrStatus>
  /** A day stands for its first moment, a time without a zone is UTC. */
  moment: ValueParser<string>
  deadline: ValueParser<{ Date: string }>
  payment: ValueParser<{ Date: string }>
  period: ValueParser<NonNullable<EventRecord['ClaimPeriod']>>
  /** An amount of a currency, or percent. */
  price: ValueParser<Price>
  interval: ValueParser<Price>
  quantity: ValueParser<number>
  count: ValueParser<number>
  /** Percent. */
  rate: ValueParser<number>
  /** New for old. */
  ratio: ValueParser<readonly [number, number]>
  payout: ValueParser<Payout>
  money(part: MessageNode): Money | undefined
}

const statuses = new Map([
  ['UKWN', 'Unknown'],
  ['ONGO', 'Ongoing'],
] as const)

/** Only the codes of which a member can tell. */
export function statusOf(code: MessageNode, text: string): Parsed<DayOrStatus> | undefined {
  const Status = statuses.get(text as 'UKWN')
  return Status && { value: { Status }, from: [code] }
}

/** A leaf whose text is of a pattern. */
export function matching(leaf: MessageNode, pattern: RegExp, what: string): string {
  if (!pattern.test(textOf(leaf))) throw new MalformedValue(leaf, what)
  return textOf(leaf)
}

/** A moment in UTC as a record writes it; undefined when there is no such day or time. A day may end at 24:00:00. */
export function instantOf(day: string, time: string, offset: string): string | undefined {
  const isEnd = /^24:00:00(\.0*)?$/.test(time)
  try {
    const instant = Temporal.Instant.from(`${day}T${isEnd ? '00:00:00' : time}${offset}`)
    const text = instant.add({ hours: isEnd ? 24 : 0 }).toString()
    return time.slice(6, 8) === '60' || !/^(?!0000)\d{4}-/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** `leaf` is named where the end is before the start, which no period can be. */
export function periodOf(
  leaf: MessageNode,
  start: Parsed<DayOrStatus> | undefined,
  end: Parsed<DayOrStatus> | undefined,
): ReturnType<ValueParsers['period']> {
  const [from, until] = [start?.value.Date, end?.value.Date]
  if (!start && !end) return undefined
  if (from !== undefined && until !== undefined && until < from)
    throw new MalformedValue(leaf, 'end of a period that starts later')
  return {
    value: { ...(start && { Start: start.value }), ...(end && { End: end.value }) },
    from: [...(start?.from ?? []), ...(end?.from ?? [])],
  }
}

/** No standard writes longer ones; a text may have a hundred thousand digits. */
const mostCharacters = 40
export const decimalPattern = new RegExp(`^(?=.{1,${mostCharacters}}$)[-+]?(\\d+(\\.\\d*)?|\\.\\d+)$`)

/** A number as it is kept. Undefined where it is too large or too long; not exact where it has more digits than a number
 *  of JSON can hold for every reader. */
export function numberOf(text: string): { value: number; isExact: boolean } | undefined {
  if (text.length > mostCharacters) return undefined
  const value = Number(text)
  const digits = text.replace('.', '').replace(/^[-+]?0*/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return Math.abs(value) > 1e15 ? undefined : { value: value === 0 ? 0 : value, isExact: end <= 15 }
}

export const currencyPattern = /^[A-Z]{3}$/
export const codePattern = /^[A-Z0-9]{4}$/
