import { MalformedValue } from '../errors.ts'
import { leafAt, type MessageNode, nodesAt, textOf } from '../node.ts'
import {
  codePattern,
  currencyPattern,
  type DayOrStatus,
  decimalPattern,
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

/** Some programs write more digits than a record keeps. */
const time = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?<more>(?<=\.\d{6})\d+)?(Z|[+-]\d{2}:\d{2})?$/
const day = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/
const aCode = 'code of four letters'

type Moment = Readonly<{ leaf: MessageNode; instant: string; written: string; isDay: boolean; isWhole: boolean }>

/** A date is written as a day, a moment or a code, each in an element of its own. */
function momentOf(part: MessageNode): Moment | undefined {
  const leaf = leafAt(part, 'Dt/DtTm', 'Dt/Dt', 'DtTm', 'Dt', '')
  if (!leaf) return undefined
  const [, onDay = '', at = '', more, zone = 'Z'] = time.exec(textOf(leaf)) ?? []
  const onlyDay = day.exec(textOf(leaf))?.[1]
  const instant = onlyDay ? instantOf(onlyDay, '00:00:00', 'Z') : instantOf(onDay, at, zone)
  if (instant === undefined) throw new MalformedValue(leaf, textOf(leaf).includes('T') ? 'day and time' : 'day')
  return { leaf, instant, written: onlyDay ?? onDay, isDay: onlyDay !== undefined, isWhole: more === undefined }
}

/** The code that stands for a date; one that is the sender's own has no member. */
function dateCodeOf(part: MessageNode): MessageNode | undefined {
  const code = leafAt(part, 'DtCd/Cd', 'Dt/NotSpcfdDt', 'NotSpcfdDt', 'PrdCd', 'DtCd', 'Cd')
  if (code) matching(code, codePattern, aCode)
  return code
}

const moment: ValueParser<string> = (part) => {
  const read = momentOf(part)
  if (!read) dateCodeOf(part)
  return read && { value: read.instant, from: read.isWhole ? [read.leaf] : [] }
}

const dayForm: ValueParser<string> = (part) => {
  const read = momentOf(part)
  if (!read) dateCodeOf(part)
  return read && { value: read.written, from: read.isDay ? [read.leaf] : [] }
}

const date: ValueParser<DayOrStatus> = (part) => {
  const read = dayForm(part)
  if (read) return { ...read, value: { Date: read.value } }
  const code = dateCodeOf(part)
  return code && statusOf(code, textOf(code))
}

const inDate =
  (form: ValueParser<string>): ValueParser<{ Date: string }> =>
  (part) => {
    const read = form(part)
    return read && { ...read, value: { Date: read.value } }
  }

const period: ValueParsers['period'] = (part) => {
  const whole = leafAt(part, 'PrdCd') && date(part)
  if (whole) return { value: { Start: whole.value, End: whole.value }, from: whole.from }
  const end = (name: string) => [...nodesAt(part, `Prd/${name}`), ...nodesAt(part, name)][0]
  const [start, until] = [end('StartDt'), end('EndDt')]
  const leaf = (until && momentOf(until)?.leaf) ?? part
  return periodOf(leaf, start && date(start), until && date(until))
}

function numberIn(leaf: MessageNode | undefined): Parsed<number> | undefined {
  const number = leaf && numberOf(matching(leaf, decimalPattern, 'number'))
  return number && { value: number.value, from: number.isExact ? [leaf] : [] }
}

function moneyIn(leaf: MessageNode | undefined): Money | undefined {
  const number = numberIn(leaf)
  if (!leaf || !number) return undefined
  const currency = leafAt(leaf, '@Ccy')
  if (!currency) throw new MalformedValue(leaf, 'amount with its currency (Ccy)')
  const Currency = matching(currency, currencyPattern, 'currency')
  return { value: { Value: number.value, Currency }, from: number.from, currencyFrom: [currency] }
}

const money = (part: MessageNode): Money | undefined => moneyIn(leafAt(part, 'Amt', 'AmtAndRateSts/Amt', ''))

/** Prices that are a discount, a premium or per lot have no type on the wire. */
const price: ValueParser<Price> = (part) => {
  const [type, percentType] = [leafAt(part, 'AmtPric/AmtPricTp'), leafAt(part, 'PctgPric/PctgPricTp')]
  for (const leaf of [type, percentType]) if (leaf) matching(leaf, codePattern, aCode)
  const amount = moneyIn(leafAt(part, 'AmtPric/PricVal'))
  if (type && amount && textOf(type) === 'ACTU')
    return { value: { ...amount.value, Type: 'Actual' }, from: [type, ...amount.from, ...amount.currencyFrom] }
  const percent = numberIn(leafAt(part, 'PctgPric/PricVal'))
  if (!percentType || !percent || textOf(percentType) !== 'PRCT') return undefined
  return { value: { Type: 'Percentage', Value: percent.value }, from: [percentType, ...percent.from] }
}

const interval: ValueParser<Price> = (part) => {
  const amount = money(part)
  if (amount) return { value: { ...amount.value, Type: 'Actual' }, from: [...amount.from, ...amount.currencyFrom] }
  const percent = numberIn(leafAt(part, 'Rate'))
  return percent && { value: { Type: 'Percentage', Value: percent.value }, from: percent.from }
}

/** A quantity in units. Face amounts are told as they are; what they are is left beside the event. */
const quantity: ValueParser<number> = (part) => {
  const units = numberIn(leafAt(part, 'Unit', 'Qty/Unit', 'DgtlTknUnit'))
  if (units) return units
  const face = numberIn(leafAt(part, 'FaceAmt', 'AmtsdVal', 'Qty/FaceAmt', 'Qty/AmtsdVal'))
  return face && { value: face.value, from: [] }
}

const ratio: ValueParser<readonly [number, number]> = (part) => {
  const [one, two] = ['Qty1', 'Qty2'].map((name) => numberIn(leafAt(part, `QtyToQty/${name}`, name)))
  return one && two && { value: [one.value, two.value], from: [...one.from, ...two.from] }
}

const payout: ValueParser<Payout> = (part) => {
  const [type] = nodesAt(part, 'RateTpAndAmtAndRateSts')
  const code = type && leafAt(type, 'RateTp/Cd')
  const amount = type && moneyIn(leafAt(type, 'Amt'))
  if (!code || !amount) return undefined
  const { Value, Currency } = amount.value
  return {
    value: { Amount: Value, Component: { Code: matching(code, codePattern, aCode) }, Currency },
    from: [code, ...amount.from, ...amount.currencyFrom],
  }
}

const whole =
  <T>(pattern: RegExp, what: string, read: (text: string) => T | undefined, ...paths: string[]): ValueParser<T> =>
  (part) => {
    const leaf = leafAt(part, ...paths)
    const value = leaf && read(matching(leaf, pattern, what))
    return value === undefined ? undefined : { value, from: [leaf as MessageNode] }
  }

export const seev031Parsers: ValueParsers = {
  text: whole(/(?:)/, 'text', (text) => text || undefined, ''),
  currency: whole(currencyPattern, 'currency', (text) => text, ''),
  code: whole(codePattern, aCode, (text) => text, 'Cd', ''),
  flag: whole(/^(true|false|1|0)$/, 'flag: true or false', (text) => text === 'true' || text === '1', ''),
  day: dayForm,
  date,
  moment,
  deadline: inDate(moment),
  payment: inDate(dayForm),
  period,
  price,
  interval,
  quantity,
  /** Days before something have no member. */
  count: whole(/^-?\d{1,6}$/, 'number of days', (text) => (text.startsWith('-') ? undefined : Number(text)), ''),
  rate: (part) => numberIn(leafAt(part, 'Rate')),
  ratio,
  payout,
  money,
}
