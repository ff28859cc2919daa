import { MalformedValue } from '../errors.ts'
import { type MessageNode, textOf } from '../node.ts'
import {
  currencyPattern,
  type DayOrStatus,
  instantOf,
  type Money,
  matching,
  numberOf,
  type Parsed,
  type Payout,
  type Price,
  periodOf,
  statusOf,
  type ValueParser,
  type ValueParsers,
} from '../values.ts'

/** Fields of ISO 15022: the value is one text, its form is told by the letter of the tag. */
const moment15022 =
  /^(?<day>\d{8})(?:(?<time>\d{6})(?:,(?<decimals>\d{1,3}))?(?:\/(?<sign>N)?(?<hours>\d{2})(?<minutes>\d{2})?)?)?$/

const [code, number] = ['[A-Z0-9]{4}', 'N?\\d{1,19},\\d{0,19}']
const amount = `[A-Z]{3}${number}`
const date15022 = '\\d{8}(\\d{6}.*)?'
const aCode = 'code of four letters'
const codes = new RegExp(`^${code}(/${code})?$`)

/** What stands at a place that is read must be of the form of its tag, else it is malformed. Of some of these forms no
 *  member tells (a code for a price), nor of those of other tags (a price in index points, a rate of two currencies):
 *  such values are kept beside the event. */
const written: readonly (readonly [tags: string, pattern: string, what: string])[] = [
  ['36C 90E 92K', code, aCode],
  ['36B', `${code}/${number}`, 'quantity such as UNIT/100,'],
  ['90A', `${code}/${number}`, 'price such as PRCT/95,5'],
  ['90B', `${code}/${amount}`, 'price such as ACTU/USD2,5'],
  ['92A', number, 'rate such as 2,5'],
  ['92D', `${number}/${number}`, 'ratio such as 1,/4,'],
  ['92F', amount, 'amount such as USD2,5'],
  ['92H', `${amount}/${code}`, 'amount such as USD2,5/ACTU'],
  ['92J', `${code}/${amount}(/${code})?`, 'amount such as INCO/USD2,5'],
  ['98A', `${date15022}|${code}`, 'day such as 20261231'],
  ['98B', `${date15022}|${code}`, aCode],
  ['98C 98E', `${date15022}|${code}`, 'day and time such as 20261231235959'],
]
const patterns = new Map(
  written.flatMap(([tags, pattern, what]) =>
    tags.split(' ').map((tag) => [tag, [new RegExp(`^(${pattern})$`), what]] as const),
  ),
)

const wellFormed =
  <Told>(read: (part: MessageNode) => Told): ((part: MessageNode) => Told) =>
  (part) => {
    const known = patterns.get(part.tag)
    if (known) matching(part, ...known)
    return read(part)
  }

/** The UTC indicator is what local time is ahead of UTC, with N behind it. Undefined when it is no date, but a code. */
function momentIn(part: MessageNode, text: string): { instant: string; written: string; isDay: boolean } | undefined {
  if (!/^\d/.test(text)) return undefined
  const isDay = text.length === 8
  const { day = '', time = '000000', decimals, sign, hours, minutes = '00' } = moment15022.exec(text)?.groups ?? {}
  const offset = hours === undefined ? 'Z' : `${sign ? '-' : '+'}${hours}:${minutes}`
  const fraction = decimals === undefined ? '' : `.${decimals}`
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}${fraction}`
  const written = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  const instant = instantOf(written, clock, offset)
  if (instant === undefined) throw new MalformedValue(part, text.length > 8 ? 'day and time' : 'day')
  return { instant, written, isDay }
}

const moment: ValueParser<string> = (part) => {
  const read = momentIn(part, textOf(part))
  return read && { value: read.instant, from: [part] }
}

function dayIn(part: MessageNode, text: string): Parsed<string> | undefined {
  const read = momentIn(part, text)
  return read && { value: read.written, from: read.isDay ? [part] : [] }
}

function dateIn(part: MessageNode, text: string): Parsed<DayOrStatus> | undefined {
  const read = dayIn(part, text)
  return read ? { ...read, value: { Date: read.value } } : statusOf(part, text)
}

const day: ValueParser<string> = (part) => dayIn(part, textOf(part))
const date: ValueParser<DayOrStatus> = (part) => dateIn(part, textOf(part))

const inDate =
  (form: ValueParser<string>): ValueParser<{ Date: string }> =>
  (part) => {
    const read = form(part)
    return read && { ...read, value: { Date: read.value } }
  }

const endOfPeriod = /^(\d{8}(\d{6}(,\d{1,3})?)?|[A-Z0-9]{4})$/

/** Both ends are days, moments or codes; a code alone is the whole period. */
const period: ValueParsers['period'] = (part) => {
  const [first = '', second = first, more] = textOf(part).split('/')
  if (more !== undefined || ![first, second].every((text) => endOfPeriod.test(text)))
    throw new MalformedValue(part, 'period such as 20260101/20261231')
  const [start, end] = [dateIn(part, first), dateIn(part, second)]
  if (!start || !end) return undefined
  const read = periodOf(part, start, end)
  const isWhole = start.from.length + end.from.length === 2
  return read && { value: read.value, from: isWhole ? [part] : [] }
}

const numberPattern = new RegExp(`^${number}$`)

/** Numbers have a comma, and N for a minus. */
function numberIn(part: MessageNode, text: string): Parsed<number> | undefined {
  const number = numberPattern.test(text) ? numberOf(text.replace('N', '-').replace(',', '.')) : undefined
  return number && { value: number.value, from: number.isExact ? [part] : [] }
}

const amountPattern = new RegExp(`^([A-Z]{3})(${number})$`)

function moneyIn(part: MessageNode, text: string): Money | undefined {
  const [, Currency = '', digits = ''] = amountPattern.exec(text) ?? []
  const number = numberIn(part, digits)
  return number && { value: { Value: number.value, Currency }, from: [], currencyFrom: number.from }
}

/** 92F is an amount, 92H one with a status, which no member tells. */
function money(part: MessageNode): Money | undefined {
  const [text = '', status] = textOf(part).split('/')
  const read = moneyIn(part, text)
  return read && (status === undefined ? read : { ...read, currencyFrom: [] })
}

/** 90A percent, 90B an amount. Discounts, premiums, lots and index points have no type on the wire. */
const price: ValueParser<Price> = (part) => {
  const [type, text = '', more] = textOf(part).split('/')
  if (more !== undefined) return undefined
  const amount = type === 'ACTU' ? moneyIn(part, text) : undefined
  if (amount) return { value: { ...amount.value, Type: 'Actual' }, from: amount.currencyFrom }
  const percent = type === 'PRCT' ? numberIn(part, text) : undefined
  return percent && { value: { Type: 'Percentage', Value: percent.value }, from: percent.from }
}

const rate: ValueParser<number> = (part) => (part.tag === '92A' ? numberIn(part, textOf(part)) : undefined)

const interval: ValueParser<Price> = (part) => {
  const amount = money(part)
  if (amount) return { value: { ...amount.value, Type: 'Actual' }, from: amount.currencyFrom }
  const percent = rate(part)
  return percent && { value: { Type: 'Percentage', Value: percent.value }, from: percent.from }
}

/** Face amounts are told as they are; what they are is left beside the event. */
const quantity: ValueParser<number> = (part) => {
  const [type, text = ''] = textOf(part).split('/')
  const read = numberIn(part, text)
  return read && { value: read.value, from: type === 'UNIT' ? read.from : [] }
}

const ratio: ValueParser<readonly [number, number]> = (part) => {
  const [one, two] = textOf(part)
    .split('/')
    .map((text) => numberIn(part, text))
  if (part.tag !== '92D' || !one || !two) return undefined
  return { value: [one.value, two.value], from: one.from.length + two.from.length === 2 ? [part] : [] }
}

const payout: ValueParser<Payout> = (part) => {
  const [Code = '', text = '', status] = textOf(part).split('/')
  const amount = part.tag === '92J' && /^[A-Z]{4}$/.test(Code) ? moneyIn(part, text) : undefined
  if (!amount) return undefined
  const { Value, Currency } = amount.value
  return {
    value: { Amount: Value, Component: { Code }, Currency },
    from: status === undefined ? amount.currencyFrom : [],
  }
}

const whole =
  <T>(pattern: RegExp, what: string, read: (text: string) => T | undefined): ValueParser<T> =>
  (part) => {
    const value = read(matching(part, pattern, what))
    return value === undefined ? undefined : { value, from: [part] }
  }

export const mt564Parsers: ValueParsers = {
  text: whole(/(?:)/, 'text', (text) => text || undefined),
  currency: whole(currencyPattern, 'currency such as EUR', (text) => text),
  /** A second code behind a slash, as of 23G, is told by no member. */
  code: (part) => {
    const [value = '', more] = matching(part, codes, aCode).split('/')
    return { value, from: more === undefined ? [part] : [] }
  },
  flag: whole(/^[YN]$/, 'flag: Y or N', (text) => text === 'Y'),
  day: wellFormed(day),
  date: wellFormed(date),
  moment: wellFormed(moment),
  deadline: wellFormed(inDate(moment)),
  payment: wellFormed(inDate(day)),
  period,
  price: wellFormed(price),
  interval: wellFormed(interval),
  quantity: wellFormed(quantity),
  /** Days before something have no member. */
  count: whole(/^N?\d{1,6}$/, 'number of days', (text) => (text.startsWith('N') ? undefined : Number(text))),
  rate: wellFormed(rate),
  ratio: wellFormed(ratio),
  payout: wellFormed(payout),
  money: wellFormed(money),
}
