import type { EventOptionRecord, EventRecord } from '../../src/events/import/schema.ts'

type Day = Temporal.PlainDate
/** Dates and states of events: two of every four events of an instrument are listed. */
type Stage = Readonly<{ state: EventRecord['EventState']; ex: number; pay: number }>
type Kind = (days: {
  ex: Day
  pay: Day
  deadline: string
}) => Pick<EventRecord, 'CorporateActionType' | 'EventType' | 'Electable' | 'Options' | 'EventIndicators' | 'Narrative'>

export const eventsOfInstrument = 4
/** After so many instruments the events repeat under other ids. */
export const instrumentVariants = 100

/** An event of an instrument variant, by position: the same texts and sizes in every run, with days relative to today. */
export function eventRecord(variant: number, place: number, today: Day): EventRecord {
  const kind = kinds[variant % kinds.length] ?? cashDividend
  const phase = Math.floor(variant / kinds.length)
  const { state, ex: exIn, pay: payIn } = stageOf(place, phase)
  const [ex, pay] = [today.add({ days: exIn }), today.add({ days: payIn })]
  const deadline = `${pay.subtract({ days: 2 })}T15:00:00.000000Z`
  return {
    EventId: eventIdMark,
    Uic: uicMark,
    AssetType: 'Stock',
    EventState: state,
    AnnouncedDate: ex.subtract({ days: 45 }).toString(),
    Ex: { Date: ex.toString() },
    Record: { Date: ex.add({ days: 1 }).toString() },
    UpdatedDateTime: `${today.subtract({ days: 50 - phase })}T06:30:00.000000Z`,
    ...kind({ ex, pay, deadline }),
  }
}

/** Placeholders for what differs in each event. */
export const eventIdMark = 'CA-TEMPLATE'
export const uicMark = 4_294_967_295

function stageOf(place: number, phase: number): Stage {
  const stages: Stage[] = [
    { state: 'Complete', ex: -300 - phase, pay: -280 - phase },
    // Past and only confirmed: lapsed.
    { state: 'Confirmed', ex: -90 - phase, pay: -60 - phase },
    { state: 'Confirmed', ex: -3 - (phase % 5), pay: 5 + phase },
    { state: 'Preliminary', ex: 30 + phase * 5, pay: 50 + phase * 5 },
  ]
  return stages[place] ?? { state: 'Complete', ex: -300, pay: -280 }
}

const narrative = (about: string): string =>
  `${about} Holders on the record date take part with what they hold at the close of business. Instructions that ` +
  'arrive after the deadline are passed on where the market still takes them, without any promise. Fractions are ' +
  'rounded down and paid in cash at the price of the first day of trading. Tax is withheld at the rate of the ' +
  'country of the issuer; who is entitled to another rate sends the form of the depository before the deadline.'

const cash = (OptionId: string, Amount: number, more: Partial<EventOptionRecord>): EventOptionRecord => ({
  OptionId,
  OptionType: { Code: 'CASH' },
  GrossRate: Amount,
  NetRate: Amount * 0.75,
  CashMovements: [
    {
      CashMovementType: 'Credit',
      Currency: 'EUR',
      PriceType: 'Actual',
      GrossDividend: Amount,
      NetDividend: Amount * 0.75,
    },
  ],
  PayoutBreakdown: [{ Amount, Component: { Code: 'DIVI' }, Currency: 'EUR' }],
  ...more,
})

const securities = (OptionId: string, ratio: number, more: Partial<EventOptionRecord>): EventOptionRecord => ({
  OptionId,
  OptionType: { Code: 'SECU' },
  SecurityMovements: [
    { SecurityMovementType: 'Credit', Uic: 211, NewQuantity: 1, OldQuantity: ratio },
    { SecurityMovementType: 'Debit', Uic: 212, HeldQuantity: 1, ReceivedQuantity: ratio },
  ],
  ...more,
})

const nothing = (OptionId: string, more: Partial<EventOptionRecord>): EventOptionRecord => ({
  OptionId,
  OptionType: { Code: 'NOAC' },
  IsDefault: true,
  Narrative: 'Nothing is sent to the agent, and what is held stays as it is.',
  ...more,
})

const cashDividend: Kind = ({ pay, deadline }) => ({
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  Narrative: narrative('The final dividend of the year, subject to the consent of the meeting of shareholders.'),
  EventIndicators: [{ Indicator: 'Dividend', Values: [{ Code: 'FINL' }] }],
  Options: [
    cash('1', 1.25, { IsDefault: true, Payment: { Date: pay.toString() } }),
    cash('2', 1.31, { Payment: { Date: pay.toString() }, OptionStatus: 'Inactive', Deadline: { Date: deadline } }),
  ],
  Electable: 'NotElectable',
})

const dividendOption: Kind = ({ ex, pay, deadline }) => {
  const dates = {
    Deadline: { Date: deadline },
    MarketDeadline: { Date: deadline },
    Payment: { Date: pay.toString() },
    ElectionPeriod: { Start: { Date: ex.toString() }, End: { Date: pay.toString() } },
  }
  return {
    CorporateActionType: 'Mandatory',
    EventType: { Code: 'DVOP' },
    Narrative: narrative('Shareholders choose whether they are paid in cash or in new shares.'),
    EventIndicators: [{ Indicator: 'Dividend', Values: [{ Code: 'FINL' }] }],
    Options: [cash('1', 0.8, { IsDefault: true, ...dates }), securities('2', 40, dates)],
  }
}

const rightsIssue: Kind = ({ ex, pay, deadline }) => {
  const dates = {
    Deadline: { Date: deadline },
    MarketDeadline: { Date: deadline },
    Payment: { Date: pay.toString() },
    TradingPeriod: { Start: { Date: ex.toString() }, End: { Date: pay.toString() } },
  }
  return {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'EXRI' },
    Narrative: narrative('One right for each share; seven rights and the price entitle to two new shares.'),
    Options: [
      securities('1', 3.5, { ...dates, OptionType: { Code: 'EXER' }, CashRequired: true }),
      cash('2', 0.12, { ...dates, OptionType: { Code: 'SLLE' } }),
      securities('3', 3.5, { ...dates, OptionType: { Code: 'OVER' }, CashRequired: true }),
      nothing('4', dates),
    ],
  }
}

const tenderOffer: Kind = ({ ex, pay, deadline }) => {
  const dates = {
    Deadline: { Date: deadline },
    IssuerDeadline: { Date: deadline },
    Payment: { Date: pay.toString() },
    ElectionPeriod: { Start: { Date: ex.toString() }, End: { Date: pay.toString() } },
  }
  return {
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND' },
    Narrative: narrative(
      'The bidder offers cash for all shares that it does not own, or a mix of cash and own shares.',
    ),
    EventIndicators: [{ Indicator: 'Offer', Values: [{ Code: 'DISS' }] }],
    Options: [cash('1', 34.5, dates), securities('2', 2.25, dates), nothing('3', dates)],
  }
}

const kinds: readonly Kind[] = [cashDividend, dividendOption, rightsIssue, tenderOffer]
