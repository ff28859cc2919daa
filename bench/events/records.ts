import type { EventOptionRecord, EventRecord } from '../../src/events/import/schema.ts'

type Day = Temporal.PlainDate
type Kind = (days: {
  ex: Day
  pay: Day
  deadline: string
}) => Pick<EventRecord, 'EventType' | 'Options' | 'Narrative'> & Partial<EventRecord>

export const eventsOfInstrument = 4
/** Number of instruments until the events repeat under other ids. */
export const instrumentVariants = 100

/** Returns an event of an instrument variant: the same texts and sizes in every run, with days relative to today. */
export function eventRecord(variant: number, place: number, today: Day): EventRecord {
  const kind = kinds[variant % kinds.length] ?? cashDividend
  const phase = Math.floor(variant / kinds.length)
  const [state, exIn, payIn] = stageOf(place, phase)
  const [ex, pay] = [today.add({ days: exIn }), today.add({ days: payIn })]
  const deadline = `${pay.subtract({ days: 2 })}T15:00:00.000000Z`
  return {
    EventId: eventIdMark,
    Uic: uicMark,
    AssetType: 'Stock',
    CorporateActionType: 'Mandatory',
    EventState: state,
    AnnouncedDate: ex.subtract({ days: 45 }).toString(),
    Ex: { Date: ex.toString() },
    Record: { Date: ex.add({ days: 1 }).toString() },
    UpdatedDateTime: `${today.subtract({ days: 50 - phase })}T06:30:00.000000Z`,
    ...kind({ ex, pay, deadline }),
  }
}

/** Placeholders that are replaced in each event. */
export const eventIdMark = 'CA-TEMPLATE'
export const uicMark = 4_294_967_295

/** The state, and the days until the ex date and the payment: two of every four events of an instrument are listed. */
function stageOf(place: number, phase: number): [state: EventRecord['EventState'], ex: number, pay: number] {
  // Past and only confirmed: lapsed.
  if (place === 1) return ['Confirmed', -90 - phase, -60 - phase]
  if (place === 2) return ['Confirmed', -3 - (phase % 5), 5 + phase]
  if (place === 3) return ['Preliminary', 30 + phase * 5, 50 + phase * 5]
  return ['Complete', -300 - phase, -280 - phase]
}

const narrative = (about: string): string =>
  `${about} Holders on the record date take part with what they hold at the close of business. Instructions that ` +
  'arrive after the deadline are passed on where the market still takes them, without any promise. Fractions are ' +
  'rounded down and paid in cash at the price of the first day of trading. Tax is withheld at the rate of the ' +
  'country of the issuer; who is entitled to another rate sends the form of the depository before the deadline.'

const cash = (OptionId: string, Amount: number, more: Partial<EventOptionRecord>): EventOptionRecord => {
  const movement = { CashMovementType: 'Credit', Currency: 'EUR', PriceType: 'Actual' } as const
  return {
    OptionId,
    OptionType: { Code: 'CASH' },
    GrossRate: Amount,
    NetRate: Amount * 0.75,
    CashMovements: [{ ...movement, GrossDividend: Amount, NetDividend: Amount * 0.75 }],
    PayoutBreakdown: [{ Amount, Component: { Code: 'DIVI' }, Currency: 'EUR' }],
    ...more,
  }
}

const securities = (OptionId: string, ratio: number, more: Partial<EventOptionRecord>): EventOptionRecord => ({
  OptionId,
  OptionType: { Code: 'SECU' },
  SecurityMovements: [
    { SecurityMovementType: 'Credit', Uic: 211, NewQuantity: 1, OldQuantity: ratio },
    { SecurityMovementType: 'Debit', Uic: 212, HeldQuantity: 1, ReceivedQuantity: ratio },
  ],
  ...more,
})

const cashDividend: Kind = ({ pay, deadline }) => ({
  EventType: { Code: 'DVCA' },
  Narrative: narrative('The final dividend of the year, subject to the consent of the meeting of shareholders.'),
  EventIndicators: [{ Indicator: 'Dividend', Values: [{ Code: 'FINL' }] }],
  Options: [
    cash('1', 1.25, { IsDefault: true, Payment: { Date: pay.toString() } }),
    cash('2', 1.31, { Payment: { Date: pay.toString() }, OptionStatus: 'Inactive', Deadline: { Date: deadline } }),
  ],
  Electable: 'NotElectable',
})

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
    ],
  }
}

const kinds: readonly Kind[] = [cashDividend, rightsIssue]
