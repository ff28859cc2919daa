import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changed as changedFrom,
  onlyMessage,
  readMessages,
  seev031Sample,
} from '../../../../test/support/events/messages.ts'

const read = (text: string) => readMessages(Buffer.from(text), 'seev031')
const eventOf = (text: string) => onlyMessage('seev031', text).event
const changed = (from: string | RegExp, to: string) => changedFrom(seev031Sample, from, to)

test('a notification becomes an event with its options and movements', () => {
  const { format, number, line, reference, identifiers, event } = onlyMessage('seev031', seev031Sample)
  assert.deepEqual(
    { format, number, line, reference, identifiers },
    {
      format: 'seev031',
      number: 1,
      line: 9,
      reference: 'OFF2026A1',
      identifiers: ['ISIN XS1111111118'],
    },
  )
  assert.deepEqual(event, {
    CorporateActionType: 'Mandatory',
    Electable: 'Electable',
    EventType: { Code: 'RHTS' },
    EventState: 'Approved',
    UpdatedDateTime: '2026-03-01T07:15:30.25Z',
    InformationToComply: 'RestrictionsMayApply',
    AnnouncedDate: '2026-02-27',
    Effective: { Status: 'Ongoing' },
    Ex: { Date: '2026-03-12' },
    Record: { Date: '2026-03-13' },
    TradingSuspended: { Status: 'Unknown' },
    ClaimPeriod: { Start: { Status: 'Ongoing' }, End: { Status: 'Ongoing' } },
    InterestPeriod: { Start: { Date: '2026-01-01' }, End: { Status: 'Unknown' } },
    BidIntervalRate: { Currency: 'EUR', Type: 'Actual', Value: 0.05 },
    MaxPrice: { Currency: 'EUR', Type: 'Actual', Value: 12.5 },
    MinPrice: { Type: 'Percentage', Value: 95.5 },
    MaxQuantitySought: 500_000,
    MinQuantitySought: 1000,
    NumberofDaysAccrued: 31,
    Narrative: 'First line.\nSecond line.\n\nTaxation:\nTax may be due.',
    EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'PART' }, { Code: 'DISS' }] }],
    Options: [
      {
        OptionId: '001',
        OptionType: { Code: 'EXER' },
        OptionStatus: 'Inactive',
        Deadline: { Date: '2026-04-08T22:00:00Z' },
        IssuerDeadline: { Date: '2026-04-10T12:00:00Z' },
        MarketDeadline: { Date: '2026-04-09' },
        Payment: { Date: '2026-04-20' },
        ElectionPeriod: { Start: { Date: '2026-03-16' }, End: { Date: '2026-04-08' } },
        IsDefault: false,
        CashRequired: true,
        MinExercisableQuantity: 1,
        Narrative: 'Pay in time.',
        CashMovements: [{ CashMovementType: 'Debit', Currency: 'EUR', PriceType: 'Actual', SubscriptionPrice: 9.75 }],
        SecurityMovements: [
          {
            SecurityMovementType: 'Credit',
            DisplayAndFormat: { IsinCode: 'XS2222222226', Description: 'EXAMPLE NEW' },
            NewQuantity: 1,
            OldQuantity: 4,
            AvailableForTrade: { Date: '2026-04-22' },
          },
        ],
      },
      {
        OptionId: '002',
        OptionType: { Code: 'CASH' },
        Payment: { Date: '2026-04-20' },
        IsDefault: true,
        IsTaxable: true,
        GrossRate: 0.4,
        CashMovements: [{ CashMovementType: 'Credit', Currency: 'EUR', NetDividend: 0.34 }],
        PayoutBreakdown: [{ Amount: 0.3, Component: { Code: 'INCO' }, Currency: 'EUR' }],
      },
    ],
  })
})

test('keeps values that no field holds in full, with their path', () => {
  const [message] = read(seev031Sample).messages
  assert.deepEqual(
    message?.unmapped.map(({ Path, Value }) => `${Path}=${Value}`),
    [
      'BizMsgEnvlp/@version=7',
      'AppHdr/Fr/FIId/FinInstnId/BICFI=CUSTXX21001',
      'AppHdr/BizMsgIdr=NOTE-0001',
      'NtfctnGnlInf/NtfctnTp=NEWM',
      'NtfctnGnlInf/PrcgSts/Cd/EvtCmpltnsSts=COMP',
      'NtfctnGnlInf/PrcgSts/Cd/EvtConfSts=CONF',
      'CorpActnGnlInf/CorpActnEvtId=OURS77',
      'CorpActnGnlInf/UndrlygScty/FinInstrmId/Desc=EXAMPLE PLC',
      'AcctDtls/AcctsListAndBalDtls/SfkpgAcct=SAFE-1',
      'CorpActnDtls/DtDtls/AnncmntDt/Dt/DtTm=2026-02-27T16:30:00',
      'CorpActnDtls/PricDtls/FrstBidIncrmtPric/AmtPric/AmtPricTp=DISC',
      'CorpActnDtls/PricDtls/FrstBidIncrmtPric/AmtPric/PricVal=1',
      'CorpActnDtls/PricDtls/FrstBidIncrmtPric/AmtPric/PricVal/@Ccy=EUR',
      'CorpActnDtls/SctiesQty/MinQtySght/FaceAmt=1000',
      'CorpActnDtls/AddtlBizPrcInd/Prtry/Id=OWN1',
      'CorpActnDtls/AddtlBizPrcInd/Prtry/Issr=CUST',
      'CorpActnOptnDtls/SctiesMvmntDtls/EntitldQty/Qty/Unit=4000',
      'CorpActnOptnDtls/SctiesMvmntDtls/DtDtls/PmtDt/Dt=2026-04-21',
      'CorpActnOptnDtls/AddtlInf/AddtlTxt/Lang=en',
      'CorpActnOptnDtls[2]/CshMvmntDtls/RateAndAmtDtls/WhldgTaxRate/Rate=15',
    ],
  )
})

const stage = '<d:EvtStag><d:Cd>APPD</d:Cd></d:EvtStag>'
for (const [completeness, confirmation, state] of [
  ['COMP', 'CONF', 'Confirmed'],
  ['COMP', 'UCON', 'Preliminary'],
  ['INCO', 'CONF', 'Preliminary'],
  ['INCO', 'UCON', 'Preliminary'],
])
  test(`without a stage, ${completeness} and ${confirmation} are ${state}`, () => {
    const text = changed(stage, '').replace('>COMP<', `>${completeness}<`).replace('>CONF<', `>${confirmation}<`)
    assert.equal(eventOf(text).EventState, state)
  })

test('a lapsed offer is cancelled', () => {
  assert.equal(eventOf(changed('APPD', 'LAPS')).EventState, 'Cancelled')
})

test("uses the sender's reference without an official one", () => {
  const [message] = read(changed(/<d:OffclCorpActnEvtId>.*<\/d:OffclCorpActnEvtId>/, '')).messages
  assert.equal(message?.reference, 'OURS77')
})

test('a voluntary event with options is electable', () => {
  const options = /<d:CorpActnOptnDtls>[\s\S]*<\/d:CorpActnOptnDtls>/
  const { CorporateActionType, Electable } = eventOf(changed('CHOS', 'VOLU'))
  assert.deepEqual([CorporateActionType, Electable], ['Voluntary', 'Electable'])
  const without = eventOf(changed('CHOS', 'VOLU').replace(options, ''))
  assert.equal(without.Electable, undefined)
  assert.deepEqual(without.Options, [{ OptionId: '001', Payment: { Date: '2026-04-20' } }])
})

test('a proprietary event type becomes OTHR and is kept as unmapped', () => {
  const { messages } = read(changed('<d:Cd>RHTS</d:Cd>', '<d:Prtry><d:Id>OWN9</d:Id></d:Prtry>'))
  assert.equal(messages[0]?.event.EventType.Code, 'OTHR')
  assert.ok(
    messages[0]?.unmapped.some(({ Path, Value }) => Path === 'CorpActnGnlInf/EvtTp/Prtry/Id' && Value === 'OWN9'),
  )
})

test('a security named by an option for securities becomes its movement', () => {
  const text = changed(
    '<d:OptnTp><d:Cd>CASH</d:Cd></d:OptnTp>',
    '<d:OptnTp><d:Cd>SECU</d:Cd></d:OptnTp><d:FinInstrmId><d:ISIN>XS3333333334</d:ISIN></d:FinInstrmId>',
  )
  assert.deepEqual(eventOf(text).Options?.[1]?.SecurityMovements, [
    { SecurityMovementType: 'Unknown', DisplayAndFormat: { IsinCode: 'XS3333333334' } },
  ])
})

test('reads a message alone, in a Document, or with others in one envelope', () => {
  const alone = /<d:CorpActnNtfctn>[\s\S]*<\/d:CorpActnNtfctn>/.exec(seev031Sample)?.[0].replaceAll('d:', '') ?? ''
  assert.deepEqual(eventOf(alone), { ...eventOf(changed(/<CreDt>.*<\/CreDt>/, '')) })
  const document = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.031.002.15">${alone}</Document>`
  assert.deepEqual(eventOf(document), eventOf(alone))
  const { messages, errors } = read(`<All>${document}${document.replaceAll('OFF2026A1', 'OFF2')}<End>x</End></All>`)
  assert.deepEqual([messages.map(({ reference }) => reference), errors], [['OFF2026A1', 'OFF2'], []])
  assert.ok(messages[1]?.unmapped.some(({ Path, Value }) => Path === 'End' && Value === 'x'))
})

test('the number of an option may be in a nested element', () => {
  const text = seev031Sample.replaceAll(/<d:OptnNb>(\d+)<\/d:OptnNb>/g, '<d:OptnNb><d:Nb>$1</d:Nb></d:OptnNb>')
  assert.deepEqual(eventOf(text), eventOf(seev031Sample))
})

/** Both variants of each version, up to the latest one published. */
const versions = ['001', '002'].flatMap((variant) =>
  Array.from({ length: 15 }, (_, index) => `${variant}.${String(index + 1).padStart(2, '0')}`),
)
const finalNamespace = 'urn:iso:std:iso:20022:tech:xsd:seev.031.001.14'
const inNamespace = (namespace: string) => seev031Sample.replaceAll(finalNamespace, namespace)
const unprefixed = (text: string) => text.replaceAll(/(<\/?)d:/g, '$1').replace('xmlns:d=', 'xmlns=')

test('reads every version of the message in the namespaces that senders use: final, draft, prefixed or none', () => {
  const expected = eventOf(seev031Sample)
  for (const version of versions)
    for (const start of ['urn:iso:std:iso:20022:tech:xsd:', 'urn:swift:xsd:'])
      for (const draft of ['', 'DRAFT', 'DRAFT1', 'DRAFT12']) {
        const prefixed = inNamespace(`${start}${draft}seev.031.${version}`)
        for (const text of [prefixed, unprefixed(prefixed)])
          assert.deepEqual(eventOf(text), expected, `${draft}${version}`)
      }
  assert.deepEqual(eventOf(unprefixed(seev031Sample).replace(` xmlns="${finalNamespace}"`, '')), expected)
})

test('rules between elements are not checked: every value is kept as sent', () => {
  const price =
    '<d:MaxPric><d:PctgPric><d:PctgPricTp>PRCT</d:PctgPricTp><d:PricVal>120</d:PricVal></d:PctgPric></d:MaxPric>'
  const text = changed('<d:Cd>PART</d:Cd>', '<d:Cd>NDIS</d:Cd>')
    .replace('<d:NtfctnTp>NEWM', '<d:NtfctnTp>REPL')
    .replace('<d:SctiesQty><d:MinQtyToInst>', `<d:PricDtls>${price}</d:PricDtls>$&`)

  const { event, unmapped } = onlyMessage('seev031', text)

  assert.deepEqual(event.EventIndicators?.[0]?.Values, [{ Code: 'NDIS' }, { Code: 'DISS' }])
  assert.deepEqual([event.MaxPrice?.Value, event.Options?.[0]?.MaxPrice?.Value], [12.5, 120])
  assert.ok(unmapped.some(({ Path, Value }) => Path === 'NtfctnGnlInf/NtfctnTp' && Value === 'REPL'))
})

test('a namespace of another message or standard is an error with its name', () => {
  for (const namespace of [
    'urn:iso:std:iso:20022:tech:xsd:DRAFT1seev.035.002.15',
    'urn:iso:std:iso:20022:tech:xsd:seev.0310.001.14',
    'urn:iso:std:iso:20022:tech:xsd:aseev.031.001.14',
    'urn:iso:std:iso:20022:tech:xsd:FINAL1seev.031.001.14',
    'urn:iso:std:iso:20022:tech:xsd:seev.031.001.14.extra',
    'urn:example:dividends',
  ])
    assert.deepEqual(read(inNamespace(namespace)).errors, [
      {
        line: 8,
        message: 1,
        reason: `Document has the namespace ${namespace}, which is not that of a seev.031 message.`,
      },
    ])
  const status = 'xmlns="urn:iso:std:iso:20022:tech:xsd:DRAFT1seev.034.002.15"'
  const { errors } = read(`<Document ${status}><CorpActnInstrStsAdvc>1</CorpActnInstrStsAdvc></Document>`)
  assert.deepEqual(
    errors.map(({ reason, code }) => [reason, code]),
    [['The message is seev.034.002.15 (CorpActnInstrStsAdvc); only seev.031 is supported.', 'OtherMessage']],
  )
})
