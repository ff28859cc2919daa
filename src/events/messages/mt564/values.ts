import { identifierText } from '../../../core/records/identifiers.ts'
import { invalid, MalformedValue } from '../errors.ts'
import { type MessageNode, textOf } from '../node.ts'
import type { DayOrStatus, Money, Parsed, Payout, Price, ValueParser, ValueParsers } from '../values.ts'
import * as values from '../values.ts'

const moment15022 =
  /^(?<day>\d{8})(?:(?<time>\d{6})(?:,(?<decimals>\d{1,3}))?(?:\/(?<sign>N)?(?<hours>\d{2})(?<minutes>\d{2})?)?)?$/

const [code, number] = ['[A-Z0-9]{4}', 'N?\\d{1,19},\\d{0,19}']
const amount = `[A-Z]{3}${number}`
const date15022 = '\\d{8}(\\d{6}.*)?'
const codes = new RegExp(`^${code}(/${code})?$`)

/** The format of a value by its tag. Codes, and values of other tags, may fit no event field: they stay unmapped. */
const formats: readonly (readonly [tags: string, pattern: string, expected: string])[] = [
  ['36C 90E 92K', code, values.codeName],
  ['36B', `${code}/${number}`, 'quantity such as UNIT/100,'],
  ['90A', `${code}/${number}`, 'price such as PRCT/95,5'],
  ['90B', `${code}/${amount}`, 'price such as ACTU/USD2,5'],
  ['92A', number, 'rate such as 2,5'],
  ['92D', `${number}/${number}`, 'ratio such as 1,/4,'],
  ['92F', amount, 'amount such as USD2,5'],
  ['92H', `${amount}/${code}`, 'amount such as USD2,5/ACTU'],
  ['92J', `${code}/${amount}(/${code})?`, 'amount such as INCO/USD2,5'],
  ['98A', `${date15022}|${code}`, 'day such as 20261231'],
  ['98B', `${date15022}|${code}`, values.codeName],
  ['98C 98E', `${date15022}|${code}`, 'day and time such as 20261231235959'],
]
const patterns = new Map(
  formats.flatMap(([tags, pattern, expected]) =>
    tags.split(' ').map((tag) => [tag, [new RegExp(`^(${pattern})$`), expected]] as const),
  ),
)

/** N is minus, except in the offset of a time. */
const isNegative = (leaf: MessageNode, text: string): boolean =>
  !leaf.tag.startsWith('98') && /(^|\/|[A-Z]{3})N\d/.test(text)

const wellFormed =
  <T>(parse: (leaf: MessageNode) => T): ((leaf: MessageNode) => T) =>
  (leaf) => {
    const format = patterns.get(leaf.tag)
    const text = format && values.matching(leaf, ...format)
    if (text !== undefined && isNegative(leaf, text)) throw new MalformedValue(leaf, 'must not be negative')
    return parse(leaf)
  }

/** The UTC indicator is the offset of local time; N is negative. Undefined for a code. */
function momentIn(leaf: MessageNode, text: string): { instant: string; written: string; isDay: boolean } | undefined {
  if (!/^\d/.test(text)) return undefined
  const isDay = text.length === 8
  const { day = '', time = '000000', decimals, sign, hours, minutes = '00' } = moment15022.exec(text)?.groups ?? {}
  const offset = hours === undefined ? 'Z' : `${sign ? '-' : '+'}${hours}:${minutes}`
  const fraction = decimals === undefined ? '' : `.${decimals}`
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}${fraction}`
  const written = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  const instant = values.instantOf(written, clock, offset)
  if (instant === undefined) throw invalid(leaf, text.length > 8 ? 'day and time' : 'day')
  return { instant, written, isDay }
}

const moment: ValueParser<string> = (leaf) => {
  const parsed = momentIn(leaf, textOf(leaf))
  return parsed && { value: parsed.instant, from: [leaf] }
}

const dayOrMoment: ValueParser<string> = (leaf) => {
  const text = textOf(leaf)
  return text.length === 8 ? dayIn(leaf, text) : moment(leaf)
}

function dayIn(leaf: MessageNode, text: string): Parsed<string> | undefined {
  const parsed = momentIn(leaf, text)
  return parsed && { value: parsed.written, from: parsed.isDay ? [leaf] : [] }
}

const dateIn = (leaf: MessageNode, text: string): Parsed<DayOrStatus> | undefined =>
  values.inDate(dayIn(leaf, text)) ?? values.statusOf(leaf, text)

const periodEnd = /^(\d{8}(\d{6}(,\d{1,3})?)?|[A-Z0-9]{4})$/

/** Both ends are dates, times or codes; a single code is the whole period. */
const period: ValueParsers['period'] = (leaf) => {
  const [first = '', second = first, more] = textOf(leaf).split('/')
  if (more !== undefined || ![first, second].every((text) => periodEnd.test(text)))
    throw invalid(leaf, 'period such as 20260101/20261231')
  const [start, end] = [dateIn(leaf, first), dateIn(leaf, second)]
  if (!start || !end) return undefined
  const parsed = values.periodOf(leaf, start, end)
  const isWhole = start.from.length + end.from.length === 2
  return parsed && { value: parsed.value, from: isWhole ? [leaf] : [] }
}

const numberPattern = new RegExp(`^${number}$`)

/** Numbers have a decimal comma, and N for minus. */
const numberIn = (leaf: MessageNode, text: string): Parsed<number> | undefined =>
  numberPattern.test(text) ? values.numberOf(leaf, text.replace('N', '-').replace(',', '.')) : undefined

const amountPattern = new RegExp(`^([A-Z]{3})(${number})$`)

function moneyIn(leaf: MessageNode, text: string): Money | undefined {
  const [, Currency = '', digits = ''] = amountPattern.exec(text) ?? []
  const number = numberIn(leaf, digits)
  return number && { value: { Value: number.value, Currency }, from: [], currencyFrom: number.from }
}

/** 92F is an amount, 92H one with a status, which no field can hold. */
function money(leaf: MessageNode): Money | undefined {
  const [text = '', status] = textOf(leaf).split('/')
  const parsed = moneyIn(leaf, text)
  return parsed && (status === undefined ? parsed : { ...parsed, currencyFrom: [] })
}

/** 90A is a percentage, 90B an amount. Discounts, premiums, lots and index points have no price type. */
const price: ValueParser<Price> = (leaf) => {
  const [type, text = '', more] = textOf(leaf).split('/')
  if (more !== undefined) return undefined
  const amount = type === 'ACTU' ? moneyIn(leaf, text) : undefined
  if (amount) return values.actualPrice(amount)
  return values.percentage(type === 'PRCT' ? numberIn(leaf, text) : undefined)
}

const rate: ValueParser<number> = (leaf) => (leaf.tag === '92A' ? numberIn(leaf, textOf(leaf)) : undefined)

/** The type of a face amount (FAMT, AMOR) stays unmapped. */
const quantity: ValueParser<number> = (leaf) => {
  const [type, text = ''] = textOf(leaf).split('/')
  const parsed = numberIn(leaf, text)
  return parsed && { value: parsed.value, from: type === 'UNIT' ? parsed.from : [] }
}

const ratio: ValueParser<readonly [number, number]> = (leaf) => {
  const [one, two] = textOf(leaf)
    .split('/')
    .map((text) => numberIn(leaf, text))
  if (leaf.tag !== '92D' || !one || !two) return undefined
  return { value: [one.value, two.value], from: one.from.length + two.from.length === 2 ? [leaf] : [] }
}

const payout: ValueParser<Payout> = (leaf) => {
  const [Code = '', text = '', status] = textOf(leaf).split('/')
  const amount = leaf.tag === '92J' && /^[A-Z]{4}$/.test(Code) ? moneyIn(leaf, text) : undefined
  if (!amount) return undefined
  const { Value, Currency } = amount.value
  return {
    value: { Amount: Value, Component: { Code }, Currency },
    from: status === undefined ? amount.currencyFrom : [],
  }
}

/** /US/037833100: the type, then the identifier. Some custodians write the ISIN there. */
const identifier: ValueParser<string> = (leaf) => {
  const [, Type = '', Value = ''] = /^\/(\w+)\/(.*)$/.exec(textOf(leaf)) ?? []
  if (!values.identifierPattern.test(Value)) throw invalid(leaf, 'identifier such as /US/037833100')
  return { value: identifierText({ Type: values.isinPattern.test(Value) ? 'ISIN' : Type, Value }), from: [leaf] }
}

export const mt564Parsers = values.completeParsers({
  identifier,
  /** No field can hold a second code after a slash, as in 23G. */
  code: (leaf) => {
    const [value = '', more] = values.matching(leaf, codes, values.codeName).split('/')
    return { value, from: more === undefined ? [leaf] : [] }
  },
  flag: values.wholeText(/^[YN]$/, 'flag (Y or N)', (text) => text === 'Y'),
  day: wellFormed((leaf) => dayIn(leaf, textOf(leaf))),
  date: wellFormed((leaf) => dateIn(leaf, textOf(leaf))),
  moment: wellFormed(moment),
  dayOrMoment: wellFormed(dayOrMoment),
  period,
  price: wellFormed(price),
  quantity: wellFormed(quantity),
  /** No field can hold a negative number of days. */
  count: values.wholeText(/^N?\d{1,6}$/, 'number of days', (text) => (text.startsWith('N') ? undefined : Number(text))),
  rate: wellFormed(rate),
  otherRate: (leaf) => (leaf.tag.startsWith('92') ? wellFormed(rate)(leaf) : undefined),
  ratio: wellFormed(ratio),
  payout: wellFormed(payout),
  money: wellFormed(money),
})
