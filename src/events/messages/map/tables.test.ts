import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MessageFormat, type NotifiedEvent, readMessages } from '../../import/messages.ts'
import * as tables from './tables.ts'

/** How each form is written in both formats, and what it says. */
const written: Record<string, readonly [element: string, tag: string, field: string, value: unknown]> = {
  moment: ['2026-03-01T08:15:30Z', '98C', '20260301081530', '2026-03-01T08:15:30Z'],
  deadline: ['<Dt><DtTm>2026-03-01T08:15:30Z</DtTm></Dt>', '98C', '20260301081530', { Date: '2026-03-01T08:15:30Z' }],
  day: ['<Dt>2026-03-12</Dt>', '98A', '20260312', '2026-03-12'],
  date: ['<Dt>2026-03-12</Dt>', '98A', '20260312', { Date: '2026-03-12' }],
  payment: ['<Dt>2026-03-12</Dt>', '98A', '20260312', { Date: '2026-03-12' }],
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

/** The event of a message that says no more than it must, and one value. */
function eventWith(format: MessageFormat, path: string, form: string, isOptional: boolean): NotifiedEvent {
  const [element, tag, field] = written[form] ?? assert.fail(form)
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
  const { messages, faults } = readMessages(Buffer.from(text), format)
  assert.deepEqual(faults, [], text)
  return messages[0]?.event ?? assert.fail(text)
}

const valueOf = (form: string): unknown => written[form]?.[3]
type Members = Readonly<Record<string, unknown>>
const optionOf = ({ Options }: NotifiedEvent): Members => Options?.[0] ?? {}
const cashOf = ({ Options }: NotifiedEvent): Members => Options?.[0]?.CashMovements?.[0] ?? {}
const securityOf = ({ Options }: NotifiedEvent): Members => Options?.[0]?.SecurityMovements?.[0] ?? {}

type Paths = readonly [seev031: string, mt564: string]
/** Reads a row in the formats that have it. `at` is where it stands: in the event, an option or a movement. */
function holds(
  name: string,
  places: Paths,
  form: string,
  at: string | undefined,
  check: (event: NotifiedEvent) => void,
) {
  for (const [index, format] of (['seev031', 'mt564'] as const).entries()) {
    const path = places[index] ?? ''
    const within = index === 0 ? { cash: 'CshMvmntDtls/', security: 'SctiesMvmntDtls/' } : inFin
    if (path === '') continue
    test(`${format}: ${name} of ${path}`, () => {
      const full = at === 'cash' || at === 'security' ? within[at] + path : path
      const inOption = full.startsWith('CAOPTN/')
      check(eventWith(format, full.replace('CAOPTN/', ''), form, inOption || at !== undefined))
    })
  }
}
const inFin = { cash: 'CASHMOVE/', security: 'SECMOVE/' }

function filled(
  rows: readonly (readonly [string, string, ...Paths])[],
  at: string | undefined,
  of: (event: NotifiedEvent) => Members,
): void {
  for (const [member, form, ...places] of rows)
    holds(member, places, form, at, (event) => {
      assert.deepEqual(of(event)[member], valueOf(form))
    })
}

filled(tables.eventRows, undefined, (event) => event)
filled(tables.commonRows, undefined, optionOf)
filled(tables.optionRows, 'option', optionOf)
filled(tables.cashRows, 'cash', cashOf)
filled(tables.securityRows, 'security', securityOf)

const asMoney = (rows: readonly (readonly [string, ...Paths])[]) =>
  rows.map(([member, ...places]) => [member, 'money', ...places] as const)
filled(asMoney(tables.optionAmounts), 'option', optionOf)
filled(asMoney(tables.cashAmounts), 'cash', cashOf)

for (const [member, ...places] of tables.cashPrices)
  holds(member, places, 'price', 'cash', (event) => {
    const { Currency, PriceType, [member]: price } = cashOf(event)
    assert.deepEqual([Currency, PriceType, price], ['EUR', 'Actual', 2.5])
  })
for (const [one, two, ...places] of tables.securityRatios)
  holds(one, places, 'ratio', 'security', (event) => {
    assert.deepEqual([securityOf(event)[one], securityOf(event)[two]], valueOf('ratio'))
  })
for (const places of tables.payoutPlaces)
  holds('PayoutBreakdown', places, 'payout', 'option', (event) => {
    assert.deepEqual(optionOf(event).PayoutBreakdown, [valueOf('payout')])
  })
for (const [Indicator, ...places] of tables.eventIndicators)
  holds(Indicator, places, 'code', undefined, ({ EventIndicators }) => {
    assert.deepEqual(EventIndicators, [{ Indicator, Values: [{ Code: 'ABCD' }] }])
  })
for (const [Indicator, ...places] of tables.optionIndicators)
  holds(Indicator, places, 'code', 'option', (event) => {
    assert.deepEqual(optionOf(event).OptionIndicators, [{ Indicator, Values: [{ Code: 'ABCD' }] }])
  })
for (const [heading, element, qualifier] of tables.narratives) {
  const expected = heading === '' ? 'Some text.' : `${heading}:\nSome text.`
  const told = ({ Narrative }: Members) => assert.equal(Narrative, expected)
  holds('Narrative', [`AddtlInf/${element}`, `ADDINFO/70:${qualifier}`], 'text', undefined, told)
  holds('Narrative', [`AddtlInf/${element}`, `70:${qualifier}`], 'text', 'option', (event) => told(optionOf(event)))
}

test('a rate in percent is told by no member', () => {
  for (const path of ['CADETL/92:GRSS', 'CADETL/92:NETT'])
    assert.deepEqual(optionOf(eventWith('mt564', path, 'rate', false)), {})
  for (const path of ['92:GRSS', '92:NETT', 'CASHMOVE/92:GRSS', 'CASHMOVE/92:NETT']) {
    const { CashMovements, ...option } = optionOf(eventWith('mt564', path, 'rate', true))
    assert.deepEqual(option, { OptionId: '001' })
    assert.deepEqual(CashMovements, path.startsWith('C') ? [{ CashMovementType: 'Unknown' }] : undefined)
  }
})
