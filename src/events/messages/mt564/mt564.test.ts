import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inEnvelope, mt564Text, readMessages } from '../../../../test/support/events/messages.ts'

const read = (text: string) => readMessages(Buffer.from(text), 'mt564')
const changed = (from: string | RegExp, to: string): string => {
  const text = mt564Text.replace(from, to)
  assert.notEqual(text, mt564Text)
  return text
}
const messageOf = (text: string) => {
  const { messages, errors } = read(text)
  assert.deepEqual(errors, [])
  assert.equal(messages.length, 1)
  const [message] = messages
  assert.ok(message)
  return message
}
const eventOf = (text: string) => messageOf(text).event
const referencesOf = (text: string): string[] => read(text).messages.map(({ reference }) => reference)

test('a notification becomes an event with its options and movements', () => {
  const { reference, isin, line, event } = messageOf(inEnvelope(mt564Text))
  assert.deepEqual([reference, isin, line], ['OFF2026A1', 'XS1111111118', 1])
  assert.deepEqual(event, {
    CorporateActionType: 'Voluntary',
    Electable: 'Electable',
    EventType: { Code: 'TEND' },
    EventState: 'Preliminary',
    UpdatedDateTime: '2026-03-01T08:15:30Z',
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
    Narrative: 'First line.\nSecond line.\n\nTaxation:\nTax may be due.\n\nOfferor:\nBIDDER PLC',
    EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'PART' }, { Code: 'DISS' }] }],
    Options: [
      {
        OptionId: '001',
        OptionType: { Code: 'SECU' },
        OptionStatus: 'Inactive',
        Deadline: { Date: '2026-04-08T22:00:00.25Z' },
        IssuerDeadline: { Date: '2026-04-10T12:00:00Z' },
        MarketDeadline: { Date: '2026-04-09T07:00:00Z' },
        Payment: { Date: '2026-04-21' },
        ElectionPeriod: { Start: { Date: '2026-03-16' }, End: { Date: '2026-04-08' } },
        TradingPeriod: { Start: { Date: '2026-03-16' }, End: { Date: '2026-04-02' } },
        IsDefault: false,
        CashRequired: true,
        MinExercisableQuantity: 1,
        OptionIndicators: [{ Indicator: 'CertificationBreakdown', Values: [{ Code: 'FULL' }] }],
        CashMovements: [{ CashMovementType: 'Debit', Currency: 'EUR', PriceType: 'Actual', SubscriptionPrice: 9.75 }],
        SecurityMovements: [
          {
            SecurityMovementType: 'Credit',
            DisplayAndFormat: { IsinCode: 'XS2222222226', Description: 'EXAMPLE NEW' },
            ReceivedQuantity: 1,
            HeldQuantity: 4,
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
        CashMovements: [
          {
            CashMovementType: 'Credit',
            Currency: 'EUR',
            PriceType: 'Actual',
            NetDividend: 0.34,
            OfferPrice: 11,
            InterestRate: 2.5,
          },
        ],
        PayoutBreakdown: [
          { Amount: 0.3, Component: { Code: 'INCO' }, Currency: 'EUR' },
          { Amount: 0.1, Component: { Code: 'CAPO' }, Currency: 'EUR' },
        ],
      },
    ],
  })
})

test('keeps values that no field holds in full, with their path', () => {
  assert.deepEqual(
    messageOf(inEnvelope(mt564Text)).unmapped.map(({ Path, Value }) => `${Path}=${Value}`),
    [
      '{1}=F01CUSTXX21A0010000000000',
      '{2}=O5640815260301BANKXX21A00100000000002603010815N',
      '{3}={108:MUR1}',
      'GENL/20C:CORP=OURS77',
      'GENL/20C:SEME=NOTE-0002',
      'GENL/23G=NEWM',
      'GENL/25D:PROC=PREC',
      'USECU/35B/Id=/GB/1234567',
      'USECU/35B/Desc=EXAMPLE PLC',
      'USECU/ACCTINFO/97A:SAFE=SAFE-1',
      'USECU/ACCTINFO/93B:ELIG=UNIT/7000,',
      'CADETL/90B:FBIP=DISC/EUR1,',
      'CADETL/36B:QTSO=FAMT/1000,',
      'CADETL/22F:ADDB/CUST=OWN1',
      'CAOPTN/SECMOVE/36B:ENTL=UNIT/4000,',
      'CAOPTN[2]/98B:RDDT=UKWN',
      'CAOPTN[2]/CASHMOVE/19B:ENTL=EUR2800,',
      'CAOPTN[2]/CASHMOVE/92J:GRSS[2]=CAPO/EUR0,1/INDI',
      'CAOPTN[2]/CASHMOVE/92A:TAXR=15,',
      '{5}={CHK:123456789ABC}',
    ],
  )
})

for (const [status, state] of [
  ['COMP', 'Confirmed'],
  ['ENTL', 'Confirmed'],
  ['PREC', 'Preliminary'],
  ['PREU', 'Preliminary'],
  ['INFO', 'Preliminary'],
])
  test(`the status ${status} is ${state}`, () => {
    assert.equal(eventOf(mt564Text.replace('//PREC', `//${status}`)).EventState, state)
  })

test('the function marks a cancellation or withdrawal, whatever the status', () => {
  assert.equal(eventOf(changed('NEWM', 'CANC')).EventState, 'Cancelled')
  assert.equal(eventOf(changed('NEWM', 'WITH')).EventState, 'Withdrawn')
  const cancels = ['NEWM', 'CANC', 'WITH', 'REPL'].map((code) => messageOf(mt564Text.replace('NEWM', code)).cancels)
  assert.deepEqual(cancels, [false, true, true, false])
  const copy = messageOf(changed('NEWM', 'CANC/COPY'))
  assert.equal(copy.event.EventState, 'Cancelled')
  assert.ok(copy.unmapped.some(({ Value }) => Value === 'CANC/COPY'))
})

test('reads option values at the event, as in older messages', () => {
  const text = changed(':98A::ANOU', ':98C::RDDT//20260401120000\n:98A::ANOU').replaceAll(/:98B::RDDT.*\n/g, '')
  const { event, unmapped } = messageOf(text)
  assert.deepEqual(
    event.Options?.map(({ Deadline }) => Deadline?.Date),
    ['2026-04-08T22:00:00.25Z', '2026-04-01T12:00:00Z'],
  )
  assert.ok(!unmapped.some(({ Path }) => Path === 'CADETL/98C:RDDT'))
})

test('reads the price and ratio of a movement at the option, as in older messages', () => {
  const option = `:16R:CAOPTN
:13A::CAON//003
:22F::CAOP//SECU
:35B:/GB/+RIGHTS
EXAMPLE RIGHTS
:92D::NEWO//2,/3,
:90B::PRPP//ACTU/EUR5,
:98A::PAYD//20260501
:98A::XDTE//20260312
:16S:CAOPTN
:16R:ADDINFO`
  assert.deepEqual(eventOf(changed(':16R:ADDINFO', option)).Options?.[2], {
    OptionId: '003',
    OptionType: { Code: 'SECU' },
    Payment: { Date: '2026-05-01' },
    CashMovements: [{ CashMovementType: 'Unknown', Currency: 'EUR', PriceType: 'Actual', SubscriptionPrice: 5 }],
    SecurityMovements: [
      {
        SecurityMovementType: 'Unknown',
        DisplayAndFormat: { Description: 'EXAMPLE RIGHTS' },
        NewQuantity: 2,
        OldQuantity: 3,
      },
    ],
  })
})

test('a movement has one currency; amounts in another are kept as unmapped', () => {
  const { event, unmapped } = messageOf(changed('NETT//EUR', 'NETT//USD'))
  assert.deepEqual(event.Options?.[1]?.CashMovements, [
    { CashMovementType: 'Credit', Currency: 'USD', NetDividend: 0.34, InterestRate: 2.5 },
  ])
  assert.ok(unmapped.some(({ Value }) => Value === 'ACTU/EUR11,'))
  const two = messageOf(changed('92A::TAXR//15,', '92F::GRSS//GBP0,5'))
  assert.equal(two.event.Options?.[1]?.CashMovements?.[0]?.Currency, 'GBP')
  assert.equal(two.event.Options?.[1]?.CashMovements?.[0]?.NetDividend, undefined)
  assert.ok(two.unmapped.some(({ Value }) => Value === 'EUR0,34'))
})

test('the currency of an option applies to movements without one', () => {
  const cash = (more: string) => `:16R:CASHMOVE\n:22H::CRDB//CRED\n${more}:16S:CASHMOVE\n`
  const option = `:13A::CAON//002\n:11A::OPTN//JPY\n${cash('')}${cash(':92F::GRSS//USD1,\n')}`
  const { event } = messageOf(changed(':13A::CAON//002\n', option))
  assert.deepEqual(
    event.Options?.[1]?.CashMovements?.map(({ Currency }) => Currency),
    ['JPY', 'USD', 'EUR'],
  )
})

test('reads messages with and without envelopes, separators and acknowledgements', () => {
  const second = mt564Text.replace('OFF2026A1', 'OFF2')
  const both = ['OFF2026A1', 'OFF2']
  assert.deepEqual(referencesOf(inEnvelope(mt564Text) + inEnvelope(second)), both)
  assert.deepEqual(referencesOf(`${inEnvelope(mt564Text)}\n$\n${inEnvelope(second)}`), both)
  assert.deepEqual(referencesOf(mt564Text + second), both)
  assert.deepEqual(referencesOf(`${mt564Text}-\n${second}-}\n`), both)
  assert.deepEqual(referencesOf(`${mt564Text}${inEnvelope(second)}`), both)
  assert.deepEqual(referencesOf((inEnvelope(mt564Text) + inEnvelope(second)).replaceAll('\n', '\r\n')), both)
  const acknowledged = messageOf(`{1:F21CUSTXX21A0010000000000}{4:{177:2603010815}{451:0}}${inEnvelope(mt564Text)}`)
  assert.ok(acknowledged.unmapped.some(({ Path, Value }) => Path === '{4}' && Value === '{177:2603010815}{451:0}'))
})

test('an unreadable message is reported with its position; the others are read', () => {
  const lines = mt564Text.split('\n').length
  const { messages, errors } = read(
    `${inEnvelope(mt564Text)}\n${inEnvelope(mt564Text, 'O565')}\n${inEnvelope(mt564Text)}`,
  )
  assert.deepEqual(
    messages.map(({ number }) => number),
    [1, 3],
  )
  assert.deepEqual(errors, [
    { line: lines + 2, message: 2, reason: 'The message is an MT565; only MT564 is supported.', code: 'OtherMessage' },
  ])
})

test('reports all malformed values with line and path, before missing ones', () => {
  const text = changed('XDTE//20260312', 'XDTE//20270231')
    .replace('//TEND', '//tend')
    .replace('GRSS//EUR0,4', 'GRSS//EUR0.4')
    .replace('ISIN XS2222222226', 'ISIN XS22')
  const { messages, errors } = read(text)
  assert.deepEqual(messages, [])
  assert.deepEqual(
    errors.map(({ line, message, reason }) => `${line} ${message} ${reason}`),
    ['6 1 GENL/22F:CAEV "tend" is not a valid four-letter code.'],
  )
  const later = read(text.replace('//tend', '//TEND')).errors
  assert.deepEqual(
    later.map(({ reason }) => reason),
    [
      'CADETL/98A:XDTE "20270231" is not a valid day.',
      'CAOPTN/SECMOVE/35B/ISIN "XS22" is not a valid ISIN.',
      'CAOPTN[2]/92F:GRSS "EUR0.4" is not a valid amount such as USD2,5.',
    ],
  )
})

test('narratives may be Latin-1; a message before a truncated one is read', () => {
  const { messages } = readMessages(Buffer.from(changed('BIDDER PLC', 'BÖRSE AG'), 'latin1'), 'mt564')
  assert.match(messages[0]?.event.Narrative ?? '', /BÖRSE AG$/)
  const { messages: whole, errors } = read(inEnvelope(mt564Text) + inEnvelope(mt564Text).slice(0, -100))
  assert.deepEqual([whole.length, errors.map(({ reason }) => reason)], [1, ['Block 4 is not closed.']])
})

test('codes and formats that no field holds are not errors', () => {
  const text = changed('CAOP//CASH', 'CAOP//ZZZZ').replace('90B::MAXP//ACTU/EUR12,5', '90E::MAXP//UKWN')
  const { event, unmapped } = messageOf(text)
  assert.deepEqual([event.Options?.[1]?.OptionType, event.MaxPrice], [undefined, undefined])
  assert.deepEqual(
    unmapped.map(({ Path }) => Path).filter((path) => /CAOP$|MAXP/.test(path)),
    ['CADETL/90E:MAXP', 'CAOPTN[2]/22F:CAOP'],
  )
})

const rejected: [name: string, text: string, reason: string][] = [
  ['XML', '<a/>', '1: The file is XML, not MT564. Name it .xml, or use --format seev031.'],
  ['an empty file', ' \n', '1: The file contains no message.'],
  ['any other text', '\nhello', '2: Expected a block {1:...} or a field :16R:...'],
  [
    'another type without an envelope',
    changed('CADETL', 'CACONF').replace(':16S:CADETL', ':16S:CACONF'),
    '20: The sequence CACONF belongs to an MT566; only MT564 is supported.',
  ],
  ['an envelope without a text', '{1:F01}{2:O564}', '1: The message text (block 4) is missing.'],
  [
    'an envelope without a known type',
    '{1:F01}{2:X}{4:\n:16R:GENL\n-}',
    '1: The message type is unknown; only MT564 is supported.',
  ],
  ['an unclosed block', '{1:F01{', '1: Block 1 is not closed.'],
  ['a truncated message', inEnvelope(mt564Text).slice(0, -100), '1: Block 4 is not closed.'],
  ['an unclosed text', '{4:\n:16R:GENL\n', '1: Block 4 is not closed.'],
  ['a text without a field', '{4:\nhello\n-}', '2: The text must begin with a field such as :16R:GENL.'],
  ['an unclosed sequence', changed(':16S:ADDINFO\n', ''), '87: Sequence ADDINFO is not closed.'],
  ['a sequence that is not open', changed(':16S:ADDINFO', ':16S:OTHER'), '91: Sequence OTHER is closed but not open.'],
  [
    'an invalid page number',
    changed(':16R:GENL', ':16R:GENL\n:28E:1/SOME'),
    '2: 28E must be a page number and LAST, MORE or ONLY.',
  ],
  [
    'an empty reference',
    changed(/:20C::COAF.*\n/, '').replace('OURS77', 'NONREF'),
    '1: The reference of the corporate action is missing.',
  ],
]
for (const [name, text, reason] of rejected)
  test(`rejects ${name}`, () => {
    const { messages, errors } = read(text)
    assert.deepEqual(
      errors.map((error) => `${error.line}: ${error.reason}`),
      [reason],
    )
    assert.deepEqual(messages, [])
  })

test('stops reading a file with too many errors', () => {
  const { errors } = read('{2:X}{4:\n:16R:GENL\n-}\n'.repeat(2_000))
  assert.equal(errors.length, 1_001)
  assert.match(errors.at(-1)?.reason ?? '', /^Too many errors/)
})
