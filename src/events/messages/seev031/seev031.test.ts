import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessages, seev031Sample } from '../../../../test/support/events/messages.ts'

const read = (text: string) => readMessages(Buffer.from(text), 'seev031')
const changed = (from: string | RegExp, to: string): string => {
  const text = seev031Sample.replace(from, to)
  assert.notEqual(text, seev031Sample)
  return text
}
const eventOf = (text: string) => {
  const { messages, errors } = read(text)
  assert.deepEqual(errors, [])
  const [message] = messages
  assert.ok(message)
  return message.event
}

test('a notification becomes an event with its options and movements', () => {
  const { messages, errors } = read(seev031Sample)
  assert.deepEqual(errors, [])
  const [message] = messages
  assert.ok(message)
  const { format, number, line, reference, isin, event } = message
  assert.deepEqual(
    { format, number, line, reference, isin },
    {
      format: 'seev031',
      number: 1,
      line: 9,
      reference: 'OFF2026A1',
      isin: 'XS1111111118',
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
        MarketDeadline: { Date: '2026-04-09T00:00:00Z' },
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

test('reports malformed values with line and path', () => {
  const text = changed('<d:Dt>2026-03-13', '<d:Dt>2026-12-40')
    .replace('<d:Cd>CASH<', '<d:Cd>CASSH<')
    .replace('>9.75<', '>zweihundert<')
  assert.deepEqual(
    read(text).errors.map(({ line, reason }) => `${line} ${reason}`),
    [
      '28 CorpActnDtls/DtDtls/RcrdDt/Dt "2026-12-40" is not a valid day.',
      '80 CorpActnOptnDtls/CshMvmntDtls/PricDtls/GncCshPricPdPerPdct/AmtPric/PricVal "zweihundert" is not a valid number.',
      '86 CorpActnOptnDtls[2]/OptnTp/Cd "CASSH" is not a valid four-letter code.',
    ],
  )
})

test('reads UTF-16 with a byte order mark', () => {
  const bytes = Buffer.from(`\uFEFF${seev031Sample.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  assert.equal(readMessages(bytes, 'seev031').messages.length, 1)
})

const other =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.039.001.09"><CorpActnCxlAdvc>1</CorpActnCxlAdvc></Document>'
const rejected: [name: string, text: string, reason: string | RegExp][] = [
  ['another message', other, '1: The message is seev.039.001.09 (CorpActnCxlAdvc); only seev.031 is supported.'],
  ['any other XML', '<a><b/></a>', '1: No CorpActnNtfctn (seev.031) found; the root element is a.'],
  ['an MT', ':16R:GENL\n', '1: The file looks like MT564, not XML. Name it .fin, or use --format mt564.'],
  ['any other text', 'hello', '1: The file is not XML.'],
  ['an empty file', '', '1: The file is not XML.'],
  ['malformed XML', '<a>\n<b></a>', /^2: The XML is not well-formed: Unexpected close tag/],
  ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]>\n<a>&b;</a>', /^1: DOCTYPE is not allowed/],
  ['a custom entity', '<a>&b;</a>', /^1: The XML is not well-formed: Invalid character entity/],
  [
    'another encoding',
    '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    /^1: The encoding ISO-8859-1 is not supported/,
  ],
  ['deep nesting', '<a>'.repeat(51) + '</a>'.repeat(51), '1: Elements are nested more than 50 levels deep.'],
  ['a long name', `<${'a'.repeat(101)}/>`, '1: A name is longer than 100 characters.'],
  ['a long text', `<a>${'b'.repeat(100_001)}</a>`, '1: The text of a is longer than 100000 characters.'],
  ['many elements', `<a>${'<b/>'.repeat(500_000)}</a>`, '1: Has more than 500000 elements. Split the file.'],
  [
    'no reference',
    changed(/<d:(Offcl)?CorpActnEvtId>.*>/g, ''),
    '9: The reference of the corporate action is missing.',
  ],
  ['a reference that is not ASCII', changed('OFF2026A1', 'É'), /^16: The reference .* printable ASCII/],
  ['no security', changed(/<d:UndrlygScty>[\s\S]*<\/d:UndrlygScty>/, ''), '9: The security is not identified by ISIN.'],
  ['an invalid ISIN', changed('XS1111111118', 'XS11'), '20: "XS11" is not a valid ISIN.'],
  ['an unknown event type', changed('RHTS', 'ZZZZ'), '17: The event type "ZZZZ" is unknown.'],
  ['no event type', changed(/<d:EvtTp>.*/, ''), '9: The event type (CAEV) is missing.'],
  ['neither mandatory nor voluntary', changed('CHOS', 'ZZZZ'), /^9: Whether the event is mandatory/],
  ['an option without a number', changed('<d:OptnNb>001</d:OptnNb>', ''), '54: CorpActnOptnDtls has no option number.'],
  [
    'an invalid page number',
    changed('<d:NtfctnGnlInf>', '<d:Pgntn><d:PgNb>x</d:PgNb></d:Pgntn><d:NtfctnGnlInf>'),
    '10: Pgntn/PgNb must be a page number.',
  ],
  ['half a surrogate pair', changed('EXAMPLE PLC', '&#xD800;'), /^20: The XML is not well-formed/],
  [
    'a value that is too long',
    changed('EXAMPLE PLC', 'x'.repeat(20_001)),
    /^9: The value at CorpActnGnlInf\/Un.* is too long/,
  ],
  [
    'too many values',
    changed('<d:AcctDtls>', `<d:AcctDtls>${'<x>1</x>'.repeat(20_000)}`),
    /^2: Has more than 20000 values/,
  ],
  [
    'too many values to be kept',
    changed('<d:AcctDtls>', `<d:AcctDtls>${'<x>1</x>'.repeat(10_000)}`),
    /^9: Has 10020 values that no event field can hold; at most 10000 can be stored/,
  ],
]
for (const [name, text, reason] of rejected)
  test(`rejects ${name}`, () => {
    const { messages, errors } = read(text)
    const reasons = errors.map(({ line, reason }) => `${line}: ${reason}`)
    assert.deepEqual([messages.length, reasons.length], [0, 1])
    if (typeof reason === 'string') assert.equal(reasons[0], reason)
    else assert.match(reasons[0] ?? '', reason)
  })

test('rejects binary data and files that are too large', () => {
  const reason = (bytes: Buffer) => readMessages(bytes, 'seev031').errors.map((error) => error.reason)
  assert.deepEqual(reason(Buffer.from([0x3c, 0xff])), ['The file is not UTF-8 text.'])
  assert.deepEqual(reason(Buffer.from('<a>\0</a>')), ['Must not contain the character U+0000.'])
  assert.deepEqual(reason(Buffer.alloc(32 * 1024 * 1024 + 1, 32)), ['The file is larger than 32 MiB. Split it.'])
})
