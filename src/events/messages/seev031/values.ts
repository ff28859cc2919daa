import { identifierText } from '../../../core/records/identifiers.ts'
import { invalid, MalformedValue } from '../errors.ts'
import { leafAt, type MessageNode, nodesAt, textOf } from '../node.ts'
import { checkChoice, onlyOf, scalarAt } from '../scalar.ts'
import type { DayOrStatus, Money, Parsed, Payout, Price, ValueParser, ValueParsers } from '../values.ts'
import * as values from '../values.ts'

/** Some senders write more digits than a record can hold. */
const time = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?<more>(?<=\.\d{6})\d+)?(Z|[+-]\d{2}:\d{2})?$/
const day = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/

type Moment = Readonly<{ leaf: MessageNode; instant: string; written: string; isDay: boolean; isWhole: boolean }>

/** A day or a time, each in its own element; undefined for a code. */
function momentOf(node: MessageNode): Moment | undefined {
  const leaf = scalarAt(node, 'day', 'Dt/DtTm', 'Dt/Dt', 'DtTm', 'Dt?', '?')
  if (!leaf) return void dateCodeOf(node)
  const [, onDay = '', at = '', more, zone = 'Z'] = time.exec(textOf(leaf)) ?? []
  const onlyDay = day.exec(textOf(leaf))?.[1]
  const instant = onlyDay ? values.instantOf(onlyDay, '00:00:00', 'Z') : values.instantOf(onDay, at, zone)
  if (instant === undefined) throw invalid(leaf, textOf(leaf).includes('T') ? 'day and time' : 'day')
  return { leaf, instant, written: onlyDay ?? onDay, isDay: onlyDay !== undefined, isWhole: more === undefined }
}

/** The code in place of a date, if it is not proprietary. */
function dateCodeOf(node: MessageNode): MessageNode | undefined {
  const code = scalarAt(node, values.codeName, 'DtCd/Cd', 'Dt/NotSpcfdDt', 'NotSpcfdDt', 'PrdCd', 'DtCd?', 'Cd')
  if (code) values.matching(code, values.codePattern, values.codeName)
  return code
}

const moment: ValueParser<string> = (node) => {
  const parsed = momentOf(node)
  return parsed && { value: parsed.instant, from: parsed.isWhole ? [parsed.leaf] : [] }
}

const dayOrMoment: ValueParser<string> = (node) => (momentOf(node)?.isDay ? dayOf(node) : moment(node))

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
  if (node.named('PrdCd').length > 0) {
    const whole = date(node)
    return whole && { value: { Start: whole.value, End: whole.value }, from: whole.from }
  }
  const end = (name: string) => onlyOf([...nodesAt(node, `Prd/${name}`), ...nodesAt(node, name)])
  const [start, until] = [end('StartDt'), end('EndDt')]
  if (!start && !until) throw new MalformedValue(node, 'must contain StartDt or EndDt')
  const leaf = (until && momentOf(until)?.leaf) ?? node
  return values.periodOf(leaf, start && date(start), until && date(until))
}

function numberAt(node: MessageNode, ...paths: string[]): Parsed<number> | undefined {
  const leaf = scalarAt(node, 'number', ...paths)
  const parsed = leaf && values.numberOf(leaf, values.matching(leaf, values.decimalPattern, 'number'))
  if (leaf && parsed && parsed.value < 0) throw new MalformedValue(leaf, 'must not be negative')
  return parsed
}

function moneyAt(node: MessageNode, ...paths: string[]): Money | undefined {
  const leaf = scalarAt(node, 'amount', ...paths)
  const number = leaf && numberAt(leaf, '')
  if (!leaf || !number) return undefined
  const currency = leafAt(leaf, '@Ccy')
  if (!currency) throw invalid(leaf, 'amount with its currency (Ccy)')
  const Currency = values.matching(currency, values.currencyPattern, 'currency such as EUR')
  return { value: { Value: number.value, Currency }, from: number.from, currencyFrom: [currency] }
}

/** A rate in percent is checked too, although no field can hold it. */
function money(node: MessageNode): Money | undefined {
  numberAt(node, 'Rate')
  return moneyAt(node, 'Amt', 'AmtAndRateSts/Amt', '?')
}

/** Discounts, premiums and prices per lot have no price type. */
const price: ValueParser<Price> = (node) => {
  const [type, percentType] = ['AmtPric/AmtPricTp', 'PctgPric/PctgPricTp'].map((path) =>
    scalarAt(node, values.codeName, path),
  )
  for (const leaf of [type, percentType]) if (leaf) values.matching(leaf, values.codePattern, values.codeName)
  const amount = moneyAt(node, 'AmtPric/PricVal')
  if (type && amount && textOf(type) === 'ACTU') return values.actualPrice({ ...amount, from: [type, ...amount.from] })
  const percent = numberAt(node, 'PctgPric/PricVal')
  if (!percentType || !percent || textOf(percentType) !== 'PRCT') return undefined
  return values.percentage({ ...percent, from: [percentType, ...percent.from] })
}

/** A quantity in units. The type of a face amount stays unmapped. */
const quantity: ValueParser<number> = (node) => {
  const units = numberAt(node, 'Unit', 'Qty/Unit', 'DgtlTknUnit')
  if (units) return units
  const face = numberAt(node, 'FaceAmt', 'AmtsdVal', 'Qty/FaceAmt', 'Qty/AmtsdVal')
  return face && { value: face.value, from: [] }
}

const ratio: ValueParser<readonly [number, number]> = (node) => {
  const [one, two] = ['Qty1', 'Qty2'].map((name) => numberAt(node, `QtyToQty/${name}`, name))
  return one && two && { value: [one.value, two.value], from: [...one.from, ...two.from] }
}

const payout: ValueParser<Payout> = (node) => {
  const code = scalarAt(node, values.codeName, 'RateTpAndAmtAndRateSts/RateTp/Cd')
  const amount = moneyAt(node, 'RateTpAndAmtAndRateSts/Amt')
  if (!code || !amount) return undefined
  const { Value, Currency } = amount.value
  return {
    value: { Amount: Value, Component: { Code: values.matching(code, values.codePattern, values.codeName) }, Currency },
    from: [code, ...amount.from, ...amount.currencyFrom],
  }
}

/** The first version has the type in IdSrc. */
const identifier: ValueParser<string> = (node) => {
  const id = scalarAt(node, 'identifier', 'Id')
  const type = scalarAt(node, 'type', 'Tp/Cd', 'Tp/Prtry', 'IdSrc/Dmst', 'IdSrc/Prtry')
  if (!id || !type) throw new MalformedValue(node, 'must contain Id and Tp')
  const Value = values.matching(id, values.identifierPattern, 'identifier of up to 35 characters')
  const Type = values.matching(type, values.identifierPattern, 'type of an identifier')
  return { value: identifierText({ Type, Value }), from: [id, type] }
}

/** The same parser, which rejects elements without any well-formed value. */
const strict =
  <T>(expected: string, parse: (node: MessageNode) => T | undefined) =>
  (node: MessageNode): T | undefined => {
    const parsed = parse(node)
    if (parsed === undefined) checkChoice(node, expected)
    return parsed
  }

const code = values.wholeText(values.codePattern, values.codeName, (text) => text, ['Cd', '?'])

export const seev031Parsers = values.completeParsers({
  identifier,
  code: strict(values.codeName, code),
  flag: values.wholeText(/^(true|false|1|0)$/, 'flag (true or false)', (text) => text === 'true' || text === '1'),
  day: strict('day', dayOf),
  date: strict('day', date),
  moment: strict('day', moment),
  dayOrMoment: strict('day', dayOrMoment),
  period: strict('period', period),
  price: strict('price', price),
  quantity: strict('quantity', quantity),
  /** No field can hold a negative number of days. */
  count: values.wholeText(/^-?\d{1,6}$/, 'number of days', (text) => (text.startsWith('-') ? undefined : Number(text))),
  rate: strict('rate', (node) => numberAt(node, 'Rate')),
  otherRate: (leaf) => (/^(Rate|Amt)$/.test(leaf.name) ? numberAt(leaf, '?') : undefined),
  ratio: strict('ratio', ratio),
  payout: strict('amount', payout),
  money: strict('amount', money),
})
