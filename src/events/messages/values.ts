import type { EventOptionRecord, EventRecord } from '../import/schema.ts'
import { invalid } from './errors.ts'
import { type MessageNode, textOf } from './node.ts'
import { scalarAt } from './scalar.ts'

/** A value and the leaves that it represents in full. A leaf represented in part is also kept as unmapped. */
export type Parsed<T> = Readonly<{ value: T; from: readonly MessageNode[] }>
export type ValueParser<T> = (node: MessageNode) => Parsed<T> | undefined

export type DayOrStatus = NonNullable<EventRecord['Ex']>
export type Price = NonNullable<EventRecord['MaxPrice']>
/** The leaves of the currency are separate: not every field can hold a currency. */
export type Money = Parsed<{ Value: number; Currency: string }> & Readonly<{ currencyFrom: readonly MessageNode[] }>
export type Payout = NonNullable<EventOptionRecord['PayoutBreakdown']>[number]

/** The values of events in one of the formats. A parser returns undefined for a well-formed value that no field can hold,
 *  such as a proprietary code, and throws MalformedValue otherwise. */
type FormatParsers = Readonly<{
  /** An identifier other than an ISIN, with its type. */
  identifier: ValueParser<string>
  code: ValueParser<string>
  flag: ValueParser<boolean>
  /** A day of the market, as written: the offset of its time is ignored. */
  day: ValueParser<string>
  date: ValueParser<DayOrStatus>
  /** A day without a time is its midnight; a time without a zone is UTC. */
  moment: ValueParser<string>
  /** A day without a time stays a day. */
  dayOrMoment: ValueParser<string>
  period: ValueParser<NonNullable<EventRecord['ClaimPeriod']>>
  price: ValueParser<Price>
  quantity: ValueParser<number>
  count: ValueParser<number>
  rate: ValueParser<number>
  /** New for old. */
  ratio: ValueParser<readonly [number, number]>
  payout: ValueParser<Payout>
  money: (node: MessageNode) => Money | undefined
  /** Checks a leaf that no field holds, if it is a rate or an amount. */
  otherRate: ValueParser<number>
}>

export function completeParsers(parsers: FormatParsers) {
  const { date, dayOrMoment, money, rate } = parsers
  return {
    ...parsers,
    reference: wholeText(/./, 'reference', (text) => text),
    isin: wholeText(isinPattern, 'ISIN', (text) => text),
    optionNumber: wholeText(/^\d{3}$/, 'option number such as 001', (text) => text, ['Nb', '?']),
    currency: wholeText(currencyPattern, 'currency such as EUR', (text) => text),
    deadline: (node: MessageNode): Parsed<DayOrStatus> | undefined => inDate(dayOrMoment(node)) ?? date(node),
    interval: (node: MessageNode) => {
      const amount = money(node)
      return amount ? actualPrice(amount) : percentage(rate(node))
    },
  }
}
export type ValueParsers = ReturnType<typeof completeParsers>

/** A parser of texts that must match a pattern, at the first of the paths that exists. */
export const wholeText =
  <T>(pattern: RegExp, expected: string, convert: (text: string) => T | undefined, paths = ['?']): ValueParser<T> =>
  (node) => {
    const leaf = scalarAt(node, expected, ...paths)
    const value = leaf && convert(matching(leaf, pattern, expected))
    return value === undefined ? undefined : { value, from: [leaf as MessageNode] }
  }

const statuses: Readonly<Record<string, DayOrStatus['Status']>> = { UKWN: 'Unknown', ONGO: 'Ongoing' }

/** A code in place of a date, if a field can hold it. */
export function statusOf(leaf: MessageNode, code: string): Parsed<DayOrStatus> | undefined {
  const Status = statuses[code]
  return Status && { value: { Status }, from: [leaf] }
}

export const inDate = (parsed: Parsed<string> | undefined): Parsed<{ Date: string }> | undefined =>
  parsed && { ...parsed, value: { Date: parsed.value } }

export function matching(leaf: MessageNode, pattern: RegExp, expected: string): string {
  if (!pattern.test(textOf(leaf))) throw invalid(leaf, expected)
  return textOf(leaf)
}

/** An instant in UTC; undefined if the day or time does not exist. A day may end at 24:00:00. */
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

/** `leaf` is the malformed one if the period ends before it starts. */
export function periodOf(
  leaf: MessageNode,
  start: Parsed<DayOrStatus> | undefined,
  end: Parsed<DayOrStatus> | undefined,
): ReturnType<FormatParsers['period']> {
  const [from, until] = [start?.value.Date, end?.value.Date]
  if (!start && !end) return undefined
  if (from !== undefined && until !== undefined && until < from)
    throw invalid(leaf, 'period end (it is before the start)')
  return {
    value: { ...(start && { Start: start.value }), ...(end && { End: end.value }) },
    from: [...(start?.from ?? []), ...(end?.from ?? [])],
  }
}

/** An amount in a field that can hold its currency too. */
export const amountOf = (money: Money | undefined): Parsed<Price> | undefined =>
  money && { value: money.value, from: [...money.from, ...money.currencyFrom] }

export const actualPrice = ({ value, from, currencyFrom }: Money): Parsed<Price> => ({
  value: { ...value, Type: 'Actual' },
  from: [...from, ...currencyFrom],
})

export const percentage = (parsed: Parsed<number> | undefined): Parsed<Price> | undefined =>
  parsed && { ...parsed, value: { Type: 'Percentage', Value: parsed.value } }

/** Longer than any number of the standards; a text may have a hundred thousand digits. */
const maxDigits = 40
export const decimalPattern = new RegExp(`^(?=.{1,${maxDigits}}$)[-+]?(\\d+(\\.\\d*)?|\\.\\d+)$`)

/** Undefined if the number is too large. Represents the leaf only in part if a JSON number cannot hold all digits. */
export function numberOf(leaf: MessageNode, text: string): Parsed<number> | undefined {
  const value = Number(text)
  if (text.length > maxDigits || Math.abs(value) > 1e15) return undefined
  const digits = text.replace('.', '').replace(/^[-+]?0*/, '')
  return { value: value === 0 ? 0 : value, from: digits.replace(/0+$/, '').length <= 15 ? [leaf] : [] }
}

export const isinPattern = /^[A-Z]{2}[A-Z0-9]{9}\d$/
/** The standards allow 35 characters, as records do. */
export const identifierPattern = /^.{1,35}$/
export const currencyPattern = /^[A-Z]{3}$/
export const codePattern = /^[A-Z0-9]{4}$/
export const codeName = 'four-letter code'
