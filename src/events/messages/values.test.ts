import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MalformedValue } from './errors.ts'
import { mt564Parsers } from './mt564/values.ts'
import { MessageNode, textOf } from './node.ts'
import { seev031Parsers } from './seev031/values.ts'
import type { ValueParsers } from './values.ts'

type ParserName = keyof ValueParsers
const field = (tag: string, value: string): MessageNode => new MessageNode(tag, tag, 1, value, tag)

/** An element with leaves: {'Dt/DtTm': '...', 'Amt': '...', 'Amt/@Ccy': 'EUR'}. */
function element(leaves: Readonly<Record<string, string>>): MessageNode {
  const root = new MessageNode('', '', 1)
  for (const [path, value] of Object.entries(leaves)) {
    const node = path.split('/').reduce((outer, name) => outer.named(name)[0] ?? outer.add(name, 1), root)
    node.value = value
  }
  return root
}

/** The parsed value, whether it represents the leaves in full, or the malformed value and what was expected. */
function result(parsers: ValueParsers, parser: ParserName, node: MessageNode): unknown {
  try {
    return parseWith(parsers, parser, node)
  } catch (error) {
    assert.ok(error instanceof MalformedValue)
    return `${textOf(error.node)} ${error.problem}`
  }
}

function parseWith(parsers: ValueParsers, parser: ParserName, node: MessageNode): unknown {
  const parsed = parsers[parser](node)
  if (!parsed) return undefined
  const leaves = 'currencyFrom' in parsed ? [...parsed.from, ...parsed.currencyFrom] : parsed.from
  return leaves.length > 0 ? parsed.value : [parsed.value, 'in part']
}

const fields: [parser: ParserName, tag: string, value: string, expected: unknown][] = [
  ['moment', '98A', '20260301', '2026-03-01T00:00:00Z'],
  ['moment', '98C', '20260301081530', '2026-03-01T08:15:30Z'],
  ['moment', '98E', '20260301081530,123/0530', '2026-03-01T02:45:30.123Z'],
  ['moment', '98E', '20260301081530/N05', '2026-03-01T13:15:30Z'],
  ['moment', '98C', '20260230081530', '20260230081530 is not a valid day and time'],
  ['moment', '98C', '20260301250000', '20260301250000 is not a valid day and time'],
  ['moment', '98C', '20261231235960', '20261231235960 is not a valid day and time'],
  ['moment', '98A', '00000101', '00000101 is not a valid day'],
  ['date', '98E', '20260301233000/N0500', [{ Date: '2026-03-01' }, 'in part']],
  ['date', '98E', '20261102000000/0100', [{ Date: '2026-11-02' }, 'in part']],
  ['date', '98C', '20260301240000', [{ Date: '2026-03-01' }, 'in part']],
  ['deadline', '98E', '20261102000000/0100', { Date: '2026-11-01T23:00:00Z' }],
  ['deadline', '98B', 'ONGO', { Status: 'Ongoing' }],
  ['deadline', '98B', 'OPEN', undefined],
  ['deadline', '98A', '20261102', { Date: '2026-11-02' }],
  ['deadline', '98C', '20261102000000', { Date: '2026-11-02T00:00:00Z' }],
  ['date', '98B', 'OPEN', undefined],
  ['date', '98B', 'constructor', 'constructor is not a valid four-letter code'],
  [
    'period',
    '69B',
    '20260301000000/20260302000000',
    [{ Start: { Date: '2026-03-01' }, End: { Date: '2026-03-02' } }, 'in part'],
  ],
  ['period', '69E', 'UKWN/20260302', { Start: { Status: 'Unknown' }, End: { Date: '2026-03-02' } }],
  ['period', '69A', '20260302/20260301', '20260302/20260301 is not a valid period end (it is before the start)'],
  ['period', '69A', '20260302', { Start: { Date: '2026-03-02' }, End: { Date: '2026-03-02' } }],
  [
    'period',
    '69A',
    '20260301/20260302/20260303',
    '20260301/20260302/20260303 is not a valid period such as 20260101/20261231',
  ],
  ['price', '90B', 'ACTU/USD0,', { Currency: 'USD', Type: 'Actual', Value: 0 }],
  ['price', '90A', 'PRCT/N1,5', 'PRCT/N1,5 must not be negative'],
  ['price', '90A', 'YIEL/1,5', undefined],
  ['price', '90E', 'UKWN', undefined],
  ['price', '90F', 'ACTU/USD1,/UNIT/2,', undefined],
  ['price', '90B', 'ACTU/USD1.5', 'ACTU/USD1.5 is not a valid price such as ACTU/USD2,5'],
  ['interval', '92A', '2,5', { Type: 'Percentage', Value: 2.5 }],
  ['interval', '92P', '2,5', undefined],
  ['quantity', '36B', 'UNIT/12345678901,5', 12345678901.5],
  ['quantity', '36B', 'UNIT/0,1234567890123456', [0.1234567890123456, 'in part']],
  ['quantity', '36B', 'UNIT/1000000000000001,', undefined],
  ['quantity', '36B', 'FAMT/100,', [100, 'in part']],
  ['quantity', '36C', 'UKWN', undefined],
  ['count', '99A', '031', 31],
  ['count', '99A', 'N03', undefined],
  ['rate', '92A', 'N0,5', 'N0,5 must not be negative'],
  ['interval', '92A', 'N0,5', 'N0,5 must not be negative'],
  ['money', '92A', 'N0,5', 'N0,5 must not be negative'],
  ['money', '92F', 'USDN0,5', 'USDN0,5 must not be negative'],
  ['quantity', '36B', 'UNIT/N1,', 'UNIT/N1, must not be negative'],
  ['ratio', '92D', '1,/N2,', '1,/N2, must not be negative'],
  ['rate', '92A', `1,${'0'.repeat(20)}`, `1,${'0'.repeat(20)} is not a valid rate such as 2,5`],
  ['rate', '92K', 'UKWN', undefined],
  ['ratio', '92D', '1,/3,', [1, 3]],
  ['ratio', '92D', '1,', '1, is not a valid ratio such as 1,/4,'],
  ['ratio', '92L', 'USD1,/USD2,', undefined],
  ['money', '92F', 'USD0,25', { Value: 0.25, Currency: 'USD' }],
  ['money', '92H', 'USD0,25/INDI', [{ Value: 0.25, Currency: 'USD' }, 'in part']],
  ['payout', '92J', 'FLFR/AUD0,1', { Amount: 0.1, Component: { Code: 'FLFR' }, Currency: 'AUD' }],
  ['payout', '92R', 'NRAT/30,', undefined],
  ['flag', '17B', 'N', false],
  ['flag', '17B', 'X', 'X is not a valid flag (Y or N)'],
  ['code', '22F', 'lower', 'lower is not a valid four-letter code'],
  ['code', '22F', 'CASSH', 'CASSH is not a valid four-letter code'],
  ['reference', '20C', ' ', ' is not a valid reference'],
  ['isin', '35B', '', ' is not a valid ISIN'],
  ['isin', '35B', 'US0378331005', 'US0378331005'],
  ['optionNumber', '13A', '001', '001'],
  ['optionNumber', '13A', 'TRUE', 'TRUE is not a valid option number such as 001'],
  ['moment', '98C', '20260301240000', '2026-03-02T00:00:00Z'],
  ['moment', '98B', 'UKWN', undefined],
  ['date', '98A', '20270231', '20270231 is not a valid day'],
  ['date', '98A', '2027-02-28', '2027-02-28 is not a valid day such as 20261231'],
  ['date', '98F', 'UKWN120000', undefined],
  ['price', '90B', 'ACTU/zweihundert', 'ACTU/zweihundert is not a valid price such as ACTU/USD2,5'],
  ['price', '90B', 'ACTU/USD1000000000000001,', undefined],
  ['price', '90J', 'anything', undefined],
  ['money', '92F', 'USD0.91', 'USD0.91 is not a valid amount such as USD2,5'],
  ['rate', '92F', 'USD0,91', undefined],
  ['currency', '11A', 'EURO', 'EURO is not a valid currency such as EUR'],
  ['count', '99A', 'some', 'some is not a valid number of days'],
]
for (const [parser, tag, value, expected] of fields)
  test(`mt564: ${parser} of ${tag} ${value}`, () => {
    assert.deepEqual(result(mt564Parsers, parser, field(tag, value)), expected)
  })

const elements: [parser: ParserName, leaves: Record<string, string>, expected: unknown][] = [
  ['moment', { Dt: '2026-03-01' }, '2026-03-01T00:00:00Z'],
  ['moment', { 'Dt/DtTm': '2026-03-01T08:15:30.123456' }, '2026-03-01T08:15:30.123456Z'],
  ['moment', { 'Dt/DtTm': '2026-03-01T08:15:30+02:00' }, '2026-03-01T06:15:30Z'],
  ['moment', { 'Dt/DtTm': '2026-02-30T08:15:30' }, '2026-02-30T08:15:30 is not a valid day and time'],
  ['moment', { 'Dt/DtTm': '2026-03-01T08:15:60' }, '2026-03-01T08:15:60 is not a valid day and time'],
  ['moment', { 'DtCd/Cd': 'UKWN' }, undefined],
  ['day', { Dt: '2026-03-01+02:00' }, '2026-03-01'],
  ['day', { 'Dt/DtTm': '2026-03-01T01:00:00+02:00' }, ['2026-03-01', 'in part']],
  ['date', { 'Dt/DtTm': '2026-03-01T23:00:00-05:00' }, [{ Date: '2026-03-01' }, 'in part']],
  ['deadline', { 'Dt/DtTm': '2026-03-01T01:00:00+02:00' }, { Date: '2026-02-28T23:00:00Z' }],
  ['deadline', { 'DtCd/Cd': 'UKWN' }, { Status: 'Unknown' }],
  ['deadline', { 'DtCd/Cd': 'ZZZZ' }, undefined],
  ['deadline', { 'Dt/Dt': '2026-03-01' }, { Date: '2026-03-01' }],
  ['deadline', { 'Dt/DtTm': '2026-03-01T00:00:00' }, { Date: '2026-03-01T00:00:00Z' }],
  ['date', { 'DtCd/Prtry/Id': 'UKWN' }, undefined],
  ['date', { 'DtCd/Cd': 'ZZZZ' }, undefined],
  [
    'period',
    { 'Prd/StartDt/Dt/Dt': '2026-03-02', 'Prd/EndDt/Dt/Dt': '2026-03-01' },
    '2026-03-01 is not a valid period end (it is before the start)',
  ],
  ['period', { 'Prd/EndDt/NotSpcfdDt': 'ONGO' }, { End: { Status: 'Ongoing' } }],
  ['period', {}, ' must contain StartDt or EndDt'],
  ['period', { PrdCd: 'ZZZZ' }, undefined],
  [
    'price',
    { 'AmtPric/AmtPricTp': 'ACTU', 'AmtPric/PricVal': '1.5' },
    '1.5 is not a valid amount with its currency (Ccy)',
  ],
  ['price', { 'PctgPric/PctgPricTp': 'YIEL', 'PctgPric/PricVal': '1.5' }, undefined],
  ['price', { NotSpcfdPric: 'UKWN' }, undefined],
  ['interval', { Rate: '2.5' }, { Type: 'Percentage', Value: 2.5 }],
  ['interval', { IndxPts: '2.5' }, undefined],
  ['quantity', { 'Qty/Unit': '10' }, 10],
  ['quantity', { AmtsdVal: '10' }, [10, 'in part']],
  ['quantity', { Unit: '1e3' }, '1e3 is not a valid number'],
  ['quantity', { Cd: 'UKWN' }, undefined],
  ['rate', { Rate: '-2.5' }, '-2.5 must not be negative'],
  ['rate', { Rate: '-0.0' }, 0],
  ['money', { Rate: '-2.5' }, '-2.5 must not be negative'],
  ['money', { Rate: '2.5' }, undefined],
  ['rate', { NotSpcfdRate: 'UKWN' }, undefined],
  ['ratio', { Qty1: '1', Qty2: '3' }, [1, 3]],
  ['ratio', { 'QtyToQty/Qty1': '1' }, ' must contain Qty2'],
  ['ratio', { 'AmtToAmt/Amt1': '1' }, undefined],
  ['money', { 'AmtAndRateSts/Amt': '0.25', 'AmtAndRateSts/Amt/@Ccy': 'USD' }, { Value: 0.25, Currency: 'USD' }],
  ['money', { Amt: '0.25', 'Amt/@Ccy': 'usd' }, 'usd is not a valid currency such as EUR'],
  ['payout', { 'RateTpAndAmtAndRateSts/RateTp/Prtry/Id': 'OWN1' }, ' must contain Amt'],
  [
    'payout',
    {
      'RateTpAndAmtAndRateSts/RateTp/Prtry/Id': 'OWN1',
      'RateTpAndAmtAndRateSts/Amt': '1',
      'RateTpAndAmtAndRateSts/Amt/@Ccy': 'EUR',
    },
    undefined,
  ],
  ['code', { Cd: 'FINL' }, 'FINL'],
  ['code', { 'Prtry/Id': 'OWN1' }, undefined],
  ['code', { Cd: 'CASSH' }, 'CASSH is not a valid four-letter code'],
  ['moment', { 'Dt/DtTm': '2026-03-01T08:15:30.1234567Z' }, ['2026-03-01T08:15:30.123456Z', 'in part']],
  ['moment', { 'Dt/DtTm': '2026-03-01T24:00:00Z' }, '2026-03-02T00:00:00Z'],
  ['day', { Dt: '2026-12-40' }, '2026-12-40 is not a valid day'],
  ['day', { Dt: '' }, ' is not a valid day'],
  ['day', { 'DtCd/Cd': 'UNKNOWN' }, 'UNKNOWN is not a valid four-letter code'],
  ['moment', { 'DtCd/Cd': 'unkn' }, 'unkn is not a valid four-letter code'],
  ['rate', { Rate: '+2.5' }, 2.5],
  ['rate', { Rate: '.5' }, 0.5],
  ['rate', { Rate: '5.' }, 5],
  ['rate', { Rate: '100000000000000.000' }, 100_000_000_000_000],
  ['rate', { Rate: `1.${'0'.repeat(38)}` }, 1],
  ['rate', { Rate: `1.${'0'.repeat(39)}` }, `1.${'0'.repeat(39)} is not a valid number`],
  ['rate', { Rate: 'zweihundert' }, 'zweihundert is not a valid number'],
  ['price', { 'PctgPric/PctgPricTp': 'percent', 'PctgPric/PricVal': '1' }, 'percent is not a valid four-letter code'],
]
for (const [parser, leaves, expected] of elements)
  test(`seev031: ${parser} of ${JSON.stringify(leaves)}`, () => {
    assert.deepEqual(result(seev031Parsers, parser, element(leaves)), expected)
  })

for (const [text, expected] of [
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['toString', 'toString is not a valid flag (true or false)'],
])
  test(`seev031: the flag ${text}`, () => {
    assert.equal(result(seev031Parsers, 'flag', new MessageNode('Ind', 'Ind', 1, String(text))), expected)
  })
