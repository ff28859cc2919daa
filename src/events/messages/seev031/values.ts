import { MalformedValue } from '../errors.ts'
import { leafAt, type MessageNode, nodesAt, textOf } from '../node.ts'
import type { DayOrStatus, Money, Parsed, Payout, Price, ValueParser, ValueParsers } from '../values.ts'
import * as values from '../values.ts'

/** Some senders write more digits than a record can hold. */
const time = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?<more>(?<=\.\d{6})\d+)?(Z|[+-]\d{2}:\d{2})?$/
const day = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/

type Moment = Readonly<{ leaf: MessageNode; instant: string; written: string; isDay: boolean; isWhole: boolean }>

/** A day or a time, each in its own element; undefined for a code. */
function momentOf(node: MessageNode): Moment | undefined {
  const leaf = leafAt(node, 'Dt/DtTm', 'Dt/Dt', 'DtTm', 'Dt', '')
  if (!leaf) return void dateCodeOf(node)
  const [, onDay = '', at = '', more, zone = 'Z'] = time.exec(textOf(leaf)) ?? []
  const onlyDay = day.exec(textOf(leaf))?.[1]
  const instant = onlyDay ? values.instantOf(onlyDay, '00:00:00', 'Z') : values.instantOf(onDay, at, zone)
  if (instant === undefined) throw new MalformedValue(leaf, textOf(leaf).includes('T') ? 'day and time' : 'day')
  return { leaf, instant, written: onlyDay ?? onDay, isDay: onlyDay !== undefined, isWhole: more === undefined }
}

/** The code in place of a date, if it is not proprietary. */
function dateCodeOf(node: MessageNode): MessageNode | undefined {
  const code = leafAt(node, 'DtCd/Cd', 'Dt/NotSpcfdDt', 'NotSpcfdDt', 'PrdCd', 'DtCd', 'Cd')
  if (code) values.matching(code, values.codePattern, values.codeName)
  return code
}

const moment: ValueParser<string> = (node) => {
  const parsed = momentOf(node)
  return parsed && { value: parsed.instant, from: parsed.isWhole ? [parsed.leaf] : [] }
}

const dayOf: ValueParser<string> = (node) => {
  const parsed = momentOf(node)
  return parsed && { value: parsed.written, from: parsed.isDay ? [parsed.leaf] : [] }
}

const date: ValueParser<DayOrStatus> = (node) => {
  const day = dayOf(node)
  const code = day ? undefined : dateCodeOf(node)
  return code ? values.statusOf(code, textOf(code)) : values.inDate(day)
}

const period: ValueParsers['period'] = (node) => {
  const whole = leafAt(node, 'PrdCd') && date(node)
  if (whole) return { value: { Start: whole.value, End: whole.value }, from: whole.from }
  const end = (name: string) => [...nodesAt(node, `Prd/${name}`), ...nodesAt(node, name)][0]
  const [start, until] = [end('StartDt'), end('EndDt')]
  const leaf = (until && momentOf(until)?.leaf) ?? node
  return values.periodOf(leaf, start && date(start), until && date(until))
}

const numberIn = (leaf: MessageNode | undefined): Parsed<number> | undefined =>
  leaf && values.numberOf(leaf, values.matching(leaf, values.decimalPattern, 'number'))

function moneyIn(leaf: MessageNode | undefined): Money | undefined {
  const number = numberIn(leaf)
  if (!leaf || !number) return undefined
  const currency = leafAt(leaf, '@Ccy')
  if (!currency) throw new MalformedValue(leaf, 'amount with its currency (Ccy)')
  const Currency = values.matching(currency, values.currencyPattern, 'currency such as EUR')
  return { value: { Value: number.value, Currency }, from: number.from, currencyFrom: [currency] }
}

const money = (node: MessageNode): Money | undefined => moneyIn(leafAt(node, 'Amt', 'AmtAndRateSts/Amt', ''))

/** Discounts, premiums and prices per lot have no price type. */
const price: ValueParser<Price> = (node) => {
  const [type, percentType] = [leafAt(node, 'AmtPric/AmtPricTp'), leafAt(node, 'PctgPric/PctgPricTp')]
  for (const leaf of [type, percentType]) if (leaf) values.matching(leaf, values.codePattern, values.codeName)
  const amount = moneyIn(leafAt(node, 'AmtPric/PricVal'))
  if (type && amount && textOf(type) === 'ACTU') return values.actualPrice({ ...amount, from: [type, ...amount.from] })
  const percent = numberIn(leafAt(node, 'PctgPric/PricVal'))
  if (!percentType || !percent || textOf(percentType) !== 'PRCT') return undefined
  return values.percentage({ ...percent, from: [percentType, ...percent.from] })
}

/** A quantity in units. The type of a face amount stays unmapped. */
const quantity: ValueParser<number> = (node) => {
  const units = numberIn(leafAt(node, 'Unit', 'Qty/Unit', 'DgtlTknUnit'))
  if (units) return units
  const face = numberIn(leafAt(node, 'FaceAmt', 'AmtsdVal', 'Qty/FaceAmt', 'Qty/AmtsdVal'))
  return face && { value: face.value, from: [] }
}

const ratio: ValueParser<readonly [number, number]> = (node) => {
  const [one, two] = ['Qty1', 'Qty2'].map((name) => numberIn(leafAt(node, `QtyToQty/${name}`, name)))
  return one && two && { value: [one.value, two.value], from: [...one.from, ...two.from] }
}

const payout: ValueParser<Payout> = (node) => {
  const [type] = nodesAt(node, 'RateTpAndAmtAndRateSts')
  const code = type && leafAt(type, 'RateTp/Cd')
  const amount = type && moneyIn(leafAt(type, 'Amt'))
  if (!code || !amount) return undefined
  const { Value, Currency } = amount.value
  return {
    value: { Amount: Value, Component: { Code: values.matching(code, values.codePattern, values.codeName) }, Currency },
    from: [code, ...amount.from, ...amount.currencyFrom],
  }
}

export const seev031Parsers = values.completeParsers({
  code: values.wholeText(values.codePattern, values.codeName, (text) => text, ['Cd', '']),
  flag: values.wholeText(/^(true|false|1|0)$/, 'flag (true or false)', (text) => text === 'true' || text === '1'),
  day: dayOf,
  date,
  moment,
  period,
  price,
  quantity,
  /** No field can hold a negative number of days. */
  count: values.wholeText(/^-?\d{1,6}$/, 'number of days', (text) => (text.startsWith('-') ? undefined : Number(text))),
  rate: (node) => numberIn(leafAt(node, 'Rate')),
  ratio,
  payout,
  money,
})
