import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessages } from '../../../../test/support/events/messages.ts'
import type { MessageFormat, NotifiedEvent } from '../message.ts'
import * as tables from './tables.ts'

/** An example of each kind of value in both formats, and its parsed value. */
const examples: Record<string, readonly [element: string, tag: string, field: string, value: unknown]> = {
  moment: ['2026-03-01T08:15:30Z', '98C', '20260301081530', '2026-03-01T08:15:30Z'],
  deadline: ['<Dt><DtTm>2026-03-01T08:15:30Z</DtTm></Dt>', '98C', '20260301081530', { Date: '2026-03-01T08:15:30Z' }],
  day: ['<Dt>2026-03-12</Dt>', '98A', '20260312', '2026-03-12'],
  date: ['<Dt>2026-03-12</Dt>', '98A', '20260312', { Date: '2026-03-12' }],
  period: [
    '<Prd><StartDt><Dt><Dt>2026-03-01</Dt></Dt></StartDt><EndDt><Dt><Dt>2026-03-02</Dt></Dt></EndDt></Prd>',
    '69A',
    '20260301/20260302',
    { Start: { Date: '2026-03-01' }, End: { Date: '2026-03-02' } },
  ],
  interval: ['<Amt Ccy="EUR">2.5</Amt>', '92F', 'EUR2,5', { Currency: 'EUR', Type: 'Actual', Value: 2.5 }],
  price: [
    '<AmtPric><AmtPricTp>ACTU</AmtPricTp><PricVal Ccy="EUR">2.5</PricVal></AmtPric>',
    '90B',
    'ACTU/EUR2,5',
    { Currency: 'EUR', Type: 'Actual', Value: 2.5 },
  ],
  money: ['<Amt Ccy="EUR">2.5</Amt>', '92F', 'EUR2,5', 2.5],
  quantity: ['<Unit>7</Unit>', '36B', 'UNIT/7,', 7],
  count: ['31', '99A', '031', 31],
  rate: ['<Rate>2.5</Rate>', '92A', '2,5', 2.5],
  ratio: ['<QtyToQty><Qty1>1</Qty1><Qty2>4</Qty2></QtyToQty>', '92D', '1,/4,', [1, 4]],
  flag: ['true', '17B', 'Y', true],
  code: ['<Cd>ABCD</Cd>', '22F', 'ABCD', 'ABCD'],
  payout: [
    '<RateTpAndAmtAndRateSts><RateTp><Cd>INCO</Cd></RateTp><Amt Ccy="EUR">2.5</Amt></RateTpAndAmtAndRateSts>',
    '92J',
    'INCO/EUR2,5',
    { Amount: 2.5, Component: { Code: 'INCO' }, Currency: 'EUR' },
  ],
  text: ['<AddtlInf>Some text.</AddtlInf>', '70E', 'Some text.', 'Some text.'],
}

const inElements = (path: string, inner: string): string =>
  path.split('/').reduceRight((text, name) => `<${name}>${text}</${name}>`, inner)

function inSequences(path: string, tag: string, value: string): string {
  const names = path.split('/')
  const [number = '', qualifier = ''] = (names.pop() ?? '').split(':')
  assert.equal(tag.slice(0, 2), number, path)
  return names.reduceRight((text, name) => `:16R:${name}\n${text}:16S:${name}\n`, `:${tag}::${qualifier}//${value}\n`)
}

/** The event of a message with the mandatory values and one more. */
function eventWith(format: MessageFormat, path: string, parser: string, isOptional: boolean): NotifiedEvent {
  const [element, tag, field] = examples[parser] ?? assert.fail(parser)
  const isHeader = path.startsWith('AppHdr/')
  const xml = isOptional
    ? `<CorpActnOptnDtls><OptnNb>001</OptnNb>${inElements(path, element)}</CorpActnOptnDtls>`
    : inElements(path, element)
  const text =
    format === 'seev031'
      ? `<E>${isHeader ? xml : ''}<Document><CorpActnNtfctn><CorpActnGnlInf><CorpActnEvtId>R</CorpActnEvtId>
<EvtTp><Cd>DVCA</Cd></EvtTp><MndtryVlntryEvtTp><Cd>MAND</Cd></MndtryVlntryEvtTp><UndrlygScty><FinInstrmId>
<ISIN>US0378331005</ISIN></FinInstrmId></UndrlygScty></CorpActnGnlInf>${isHeader ? '' : xml}</CorpActnNtfctn></Document></E>`
      : `{4:\n:16R:GENL\n:20C::CORP//R\n:23G:NEWM\n:22F::CAEV//DVCA\n:22F::CAMV//MAND\n:16S:GENL
:16R:USECU\n:35B:ISIN US0378331005\n:16S:USECU\n${
          isOptional
            ? `:16R:CAOPTN\n:13A::CAON//001\n${inSequences(path, tag, field)}:16S:CAOPTN\n`
            : inSequences(path, tag, field)
        }-}`
  const { messages, errors } = readMessages(Buffer.from(text), format)
  assert.deepEqual(errors, [], text)
  return messages[0]?.event ?? assert.fail(text)
}

const valueOf = (parser: string): unknown => examples[parser]?.[3]
type Fields = Readonly<Record<string, unknown>>
const optionOf = ({ Options }: NotifiedEvent): Fields => Options?.[0] ?? {}
const cashOf = ({ Options }: NotifiedEvent): Fields => Options?.[0]?.CashMovements?.[0] ?? {}
const securityOf = ({ Options }: NotifiedEvent): Fields => Options?.[0]?.SecurityMovements?.[0] ?? {}

type Paths = readonly [seev031: string, mt564: string]
/** Tests a mapping in the formats that have it. `at`: in the event, an option or a movement. */
function testMapping(
  name: string,
  paths: Paths,
  parser: string,
  at: string | undefined,
  check: (event: NotifiedEvent) => void,
) {
  for (const [index, format] of (['seev031', 'mt564'] as const).entries()) {
    const path = paths[index] ?? ''
    const within = index === 0 ? { cash: 'CshMvmntDtls/', security: 'SctiesMvmntDtls/' } : inFin
    if (path === '') continue
    test(`${format}: ${name} of ${path}`, () => {
      const full = at === 'cash' || at === 'security' ? within[at] + path : path
      const inOption = full.startsWith('CAOPTN/')
      check(eventWith(format, full.replace('CAOPTN/', ''), parser, inOption || at !== undefined))
    })
  }
}
const inFin = { cash: 'CASHMOVE/', security: 'SECMOVE/' }

function testMappings(
  mappings: readonly (readonly [string, string, ...Paths])[],
  at: string | undefined,
  of: (event: NotifiedEvent) => Fields,
): void {
  for (const [field, parser, ...paths] of mappings)
    testMapping(field, paths, parser, at, (event) => {
      assert.deepEqual(of(event)[field], valueOf(parser))
    })
}

testMappings(tables.eventMappings, undefined, (event) => event)
testMappings(tables.sharedMappings, undefined, optionOf)
testMappings(tables.optionMappings, 'option', optionOf)
testMappings(tables.cashMappings, 'cash', cashOf)
testMappings(tables.securityMappings, 'security', securityOf)

const asMoney = (mappings: readonly (readonly [string, ...Paths])[]) =>
  mappings.map(([field, ...paths]) => [field, 'money', ...paths] as const)
testMappings(asMoney(tables.optionAmounts), 'option', optionOf)
testMappings(asMoney(tables.cashAmounts), 'cash', cashOf)

for (const [field, ...paths] of tables.cashPrices)
  testMapping(field, paths, 'price', 'cash', (event) => {
    const { Currency, PriceType, [field]: price } = cashOf(event)
    assert.deepEqual([Currency, PriceType, price], ['EUR', 'Actual', 2.5])
  })
for (const [one, two, ...paths] of tables.securityRatios)
  testMapping(one, paths, 'ratio', 'security', (event) => {
    assert.deepEqual([securityOf(event)[one], securityOf(event)[two]], valueOf('ratio'))
  })
for (const paths of tables.payoutPaths)
  testMapping('PayoutBreakdown', paths, 'payout', 'option', (event) => {
    assert.deepEqual(optionOf(event).PayoutBreakdown, [valueOf('payout')])
  })
for (const [Indicator, ...paths] of tables.eventIndicators)
  testMapping(Indicator, paths, 'code', undefined, ({ EventIndicators }) => {
    assert.deepEqual(EventIndicators, [{ Indicator, Values: [{ Code: 'ABCD' }] }])
  })
for (const [Indicator, ...paths] of tables.optionIndicators)
  testMapping(Indicator, paths, 'code', 'option', (event) => {
    assert.deepEqual(optionOf(event).OptionIndicators, [{ Indicator, Values: [{ Code: 'ABCD' }] }])
  })
for (const [heading, element, qualifier] of tables.narratives) {
  const expected = heading === '' ? 'Some text.' : `${heading}:\nSome text.`
  const check = ({ Narrative }: Fields) => assert.equal(Narrative, expected)
  testMapping('Narrative', [`AddtlInf/${element}`, `ADDINFO/70:${qualifier}`], 'text', undefined, check)
  testMapping('Narrative', [`AddtlInf/${element}`, `70:${qualifier}`], 'text', 'option', (event) =>
    check(optionOf(event)),
  )
}

test('no field holds a rate in percent', () => {
  for (const path of ['CADETL/92:GRSS', 'CADETL/92:NETT'])
    assert.deepEqual(optionOf(eventWith('mt564', path, 'rate', false)), {})
  for (const path of ['92:GRSS', '92:NETT', 'CASHMOVE/92:GRSS', 'CASHMOVE/92:NETT']) {
    const { CashMovements, ...option } = optionOf(eventWith('mt564', path, 'rate', true))
    assert.deepEqual(option, { OptionId: '001' })
    assert.deepEqual(CashMovements, path.startsWith('C') ? [{ CashMovementType: 'Unknown' }] : undefined)
  }
})
