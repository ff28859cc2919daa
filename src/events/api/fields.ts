import { type TString, Type } from 'typebox'
import { describe, describeMembers } from '../../core/schema.ts'
import * as enums from './enums.ts'
import { cashTexts, eventTexts, optionTexts, securityTexts } from './texts.ts'

/** The members of an event that a record and an answer have alike (§2.10, contract §7). They differ in the form of a day:
 *  a record has YYYY-MM-DD, an answer what its profile says. */
export type DaySchema = TString

const closed = { additionalProperties: false }
const maybe = Type.Optional
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })
const Text = Type.String({ maxLength: 2_000 })
const Narrative = Type.String({ maxLength: 100_000, description: 'Free text of several lines; may hold simple HTML.' })
const DateTime = Type.String({ format: 'date-time', description: 'The moment, UTC.' })
export const Quantity = Type.Number({ minimum: -1e15, maximum: 1e15 })

export const CodeDescription = Type.Object(
  {
    Code: Type.String({ pattern: '^[A-Z0-9]{1,10}$', description: 'For programs.' }),
    Name: maybe(describe(Text, 'What it is called.')),
    Description: maybe(describe(Text, 'What it means.')),
  },
  { ...closed, title: 'CodeDescription' },
)

export const DisplayAndFormat = Type.Object(
  {
    Description: maybe(describe(Text, 'What it is called.')),
    IsinCode: maybe(Type.String({ maxLength: 12, description: 'Its ISIN.' })),
    Symbol: maybe(describe(Text, 'Its symbol.')),
  },
  { ...closed, title: 'DisplayAndFormat' },
)

const PriceAndRate = Type.Object(
  { Currency: maybe(Currency), Type: maybe(enums.PriceType), Value: describe(Quantity, 'The figure.') },
  { ...closed, title: 'PriceAndRate' },
)

const IndicatorDetail = Type.Object(
  { Indicator: enums.Indicator, Values: Type.Array(CodeDescription, { maxItems: 100, description: 'What it says.' }) },
  { ...closed, title: 'IndicatorDetail' },
)
const Indicators = maybe(Type.Array(IndicatorDetail, { maxItems: 20 }))

/** It has Date or Status. */
const dateAndStatus = (Day: DaySchema) =>
  Type.Object({ Date: maybe(Day), Status: maybe(enums.DateStatus) }, { ...closed, title: 'DateAndStatus' })
function datePeriod(Day: DaySchema) {
  return Type.Object(
    {
      Start: maybe(describe(dateAndStatus(Day), 'Its first day.')),
      End: maybe(describe(dateAndStatus(Day), 'Its last day.')),
    },
    { ...closed, title: 'DatePeriod' },
  )
}

const bids = {
  BidIntervalRate: maybe(PriceAndRate),
  FirstBidIncrementPrice: maybe(PriceAndRate),
  LastBidIncrementPrice: maybe(PriceAndRate),
  MaxPrice: maybe(PriceAndRate),
  MinPrice: maybe(PriceAndRate),
}

export function eventFields(Day: DaySchema) {
  return describeMembers(
    {
      DisplayAndFormat: maybe(DisplayAndFormat),
      EventStatus: maybe(enums.EventStatus),
      Electable: maybe(enums.Electable),
      InformationToComply: maybe(enums.InformationToComply),
      AnnouncedDate: maybe(Type.String({ format: 'date' })),
      Effective: maybe(dateAndStatus(Day)),
      Ex: maybe(dateAndStatus(Day)),
      Record: maybe(dateAndStatus(Day)),
      TradingSuspended: maybe(dateAndStatus(Day)),
      ClaimPeriod: maybe(datePeriod(Day)),
      InterestPeriod: maybe(datePeriod(Day)),
      ...bids,
      StrikePrice: maybe(PriceAndRate),
      MaxQuantitySought: maybe(Quantity),
      MinQuantitySought: maybe(Quantity),
      NewBoardLotQuantity: maybe(Quantity),
      NewDenominationQuantity: maybe(Quantity),
      NumberofDaysAccrued: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      Narrative: maybe(Narrative),
      EventIndicators: Indicators,
    },
    eventTexts,
  )
}

const Deadline = Type.Object({ Date: DateTime }, { ...closed, title: 'Deadline' })

const CashMovement = Type.Object(
  describeMembers(
    {
      CashMovementType: enums.MovementType,
      Currency: maybe(Currency),
      PriceType: maybe(enums.PriceType),
      Amount: maybe(Quantity),
      DeemedRate: maybe(Quantity),
      GrossDividend: maybe(Quantity),
      InterestRate: maybe(Quantity),
      NetDividend: maybe(Quantity),
      OfferPrice: maybe(Quantity),
      Quantity: maybe(Quantity),
      SubscriptionPrice: maybe(Quantity),
    },
    cashTexts,
  ),
  { ...closed, title: 'CashMovement' },
)

function securityMovement(Day: DaySchema) {
  return Type.Object(
    describeMembers(
      {
        SecurityMovementType: enums.MovementType,
        Currency: maybe(Currency),
        DisplayAndFormat: maybe(DisplayAndFormat),
        Uic: maybe(Type.Integer({ minimum: 1, maximum: 4_294_967_295 })),
        HeldQuantity: maybe(Quantity),
        ReceivedQuantity: maybe(Quantity),
        NewQuantity: maybe(Quantity),
        OldQuantity: maybe(Quantity),
        AvailableForTrade: maybe(dateAndStatus(Day)),
        LastTrade: maybe(dateAndStatus(Day)),
      },
      securityTexts,
    ),
    { ...closed, title: 'SecurityMovement' },
  )
}

const Payout = Type.Object(
  {
    Amount: describe(Quantity, 'The part.'),
    Component: describe(CodeDescription, 'What the part is.'),
    Currency: maybe(Currency),
  },
  { ...closed, title: 'Payout' },
)

/** An option without its OptionType, whose codes are closed in a record. */
export function optionFields(Day: DaySchema) {
  return describeMembers(
    {
      OptionId: Type.String({ minLength: 1, maxLength: 20 }),
      Deadline: maybe(Deadline),
      IssuerDeadline: maybe(Deadline),
      MarketDeadline: maybe(Deadline),
      Payment: maybe(Type.Object({ Date: Day }, { ...closed, title: 'EventPayment' })),
      ElectionPeriod: maybe(datePeriod(Day)),
      TradingPeriod: maybe(datePeriod(Day)),
      IsDefault: maybe(Type.Boolean()),
      IsGross: maybe(Type.Boolean()),
      IsTaxable: maybe(Type.Boolean()),
      CashRequired: maybe(Type.Boolean()),
      OptionStatus: maybe(enums.OptionStatus),
      GrossRate: maybe(Quantity),
      NetRate: maybe(Quantity),
      ...bids,
      MaxExercisableQuantity: maybe(Quantity),
      MinExercisableQuantity: maybe(Quantity),
      MinExercisableMultipleQuantity: maybe(Quantity),
      NewBoardLotQuantity: maybe(Quantity),
      NewDenominationQuantity: maybe(Quantity),
      Narrative: maybe(Narrative),
      OptionIndicators: Indicators,
      CashMovements: maybe(Type.Array(CashMovement, { maxItems: 200 })),
      PayoutBreakdown: maybe(Type.Array(Payout, { maxItems: 200 })),
      SecurityMovements: maybe(Type.Array(securityMovement(Day), { maxItems: 200 })),
    },
    optionTexts,
  )
}
