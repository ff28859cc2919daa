import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed as changedFrom, inEnvelope, mt564Text, onlyMessage } from '../../../../test/support/events/messages.ts'

const messageOf = (text: string) => onlyMessage('mt564', text)
const eventOf = (text: string) => messageOf(text).event
const changed = (from: string | RegExp, to: string) => changedFrom(mt564Text, from, to)

test('a notification becomes an event with its options and movements', () => {
  const { reference, identifiers, line, event } = messageOf(inEnvelope(mt564Text))
  assert.deepEqual([reference, identifiers, line], ['OFF2026A1', ['ISIN XS1111111118'], 1])
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
        Deadline: { Status: 'Unknown' },
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

test('codes and formats that no field holds are not errors', () => {
  const text = changed('CAOP//CASH', 'CAOP//ZZZZ').replace('90B::MAXP//ACTU/EUR12,5', '90E::MAXP//UKWN')
  const { event, unmapped } = messageOf(text)
  assert.deepEqual([event.Options?.[1]?.OptionType, event.MaxPrice], [undefined, undefined])
  assert.deepEqual(
    unmapped.map(({ Path }) => Path).filter((path) => /CAOP$|MAXP/.test(path)),
    ['CADETL/90E:MAXP', 'CAOPTN[2]/22F:CAOP'],
  )
})
