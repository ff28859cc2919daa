import { type TProperties, type TSchema, type TString, Type } from 'typebox'
import { currencyCode, describe, matching } from '../../core/schema.ts'
import * as enums from './enums.ts'

/** The fields that records and responses share (§7.5). Only the formats of days and of deadlines differ. */
export const titledObject = <P extends TProperties>(title: string, fields: P, example?: object) =>
  Type.Object(fields, { title, ...(example && { examples: [example] }) })
export const closedObject = <P extends TProperties>(title: string, fields: P) =>
  Type.Object(fields, { title, additionalProperties: false })
export const field = <T extends TSchema>(schema: T, description: string) => describe(Type.Optional(schema), description)
const quantity = (description: string) => field(Quantity, description)
const flag = (description: string) => field(Type.Boolean(), description)
const price = (description: string) => field(PriceAndRate, description)
const list = <T extends TSchema>(item: T, description: string) =>
  field(Type.Array(item, { maxItems: 200 }), description)

const Text = Type.String({ maxLength: 2_000 })
const Currency = Type.Optional(Type.String({ ...currencyCode, description: 'ISO 4217 code.' }))
const Narrative = field(Type.String({ maxLength: 100_000 }), 'Free text of several lines; may contain simple HTML.')
export const Quantity = Type.Number({ minimum: -1e15, maximum: 1e15 })

export const CodeDescription = closedObject('CodeDescription', {
  Code: Type.String({
    ...matching('a code of 1 to 10 capital letters and digits', '^[A-Z0-9]{1,10}$'),
    description: 'Code of the standard.',
  }),
  Name: field(Text, 'Name of the code.'),
  Description: field(Text, 'Meaning of the code.'),
})

export const DisplayAndFormat = closedObject('DisplayAndFormat', {
  Description: field(Text, 'Name.'),
  IsinCode: field(Type.String({ maxLength: 12 }), 'ISIN.'),
  Symbol: field(Text, 'Symbol.'),
})

const PriceAndRate = closedObject('PriceAndRate', {
  Currency,
  Type: Type.Optional(enums.PriceType),
  Value: describe(Quantity, 'Amount or percentage.'),
})

const IndicatorDetail = closedObject('IndicatorDetail', {
  Indicator: enums.Indicator,
  Values: Type.Array(CodeDescription, { maxItems: 100, description: 'Its codes.' }),
})
const Indicators = Type.Array(IndicatorDetail, { maxItems: 20 })

/** Has either Date or Status. */
const dateAndStatus = (Day: TString) =>
  closedObject('DateAndStatus', { Date: Type.Optional(Day), Status: Type.Optional(enums.DateStatus) })

const datePeriod = (Day: TString) =>
  closedObject('DatePeriod', {
    Start: field(dateAndStatus(Day), 'First day.'),
    End: field(dateAndStatus(Day), 'Last day.'),
  })

const bids = {
  BidIntervalRate: price('Auctions: step between bids.'),
  FirstBidIncrementPrice: price('Auctions: first step above the lowest bid.'),
  LastBidIncrementPrice: price('Auctions: last step below the highest bid.'),
  MaxPrice: price('Highest price.'),
  MinPrice: price('Lowest price.'),
}

const lots = {
  NewBoardLotQuantity: quantity('Board lot after the event.'),
  NewDenominationQuantity: quantity('Denomination after the event.'),
}

export function eventFields(Day: TString) {
  const day = (description: string) => field(dateAndStatus(Day), description)
  const period = (description: string) => field(datePeriod(Day), description)
  return {
    DisplayAndFormat: field(DisplayAndFormat, 'Names of the instrument.'),
    EventStatus: field(enums.EventStatus, 'Status today.'),
    Electable: field(enums.Electable, 'Whether holders can elect.'),
    InformationToComply: field(enums.InformationToComply, 'Set if some holders may be excluded: see Narrative.'),
    AnnouncedDate: field(Type.String({ format: 'date' }), 'Announcement date.'),
    Effective: day('Effective date.'),
    Ex: day('Ex date: first day on which the security trades without the entitlement.'),
    Record: day('Record date: holders at the end of this day are entitled.'),
    TradingSuspended: day('First day on which trading is suspended.'),
    ClaimPeriod: period('Period for claims.'),
    InterestPeriod: period('Period for which interest is paid.'),
    ...bids,
    StrikePrice: price('Exercise price of a right.'),
    MaxQuantitySought: quantity('Maximum quantity sought by the offeror.'),
    MinQuantitySought: quantity('Minimum quantity sought by the offeror.'),
    ...lots,
    NumberofDaysAccrued: field(Type.Integer({ minimum: 0, maximum: 1_000_000 }), 'Days of accrued interest.'),
    Narrative,
    EventIndicators: field(Indicators, 'Indicator codes of the event.'),
  }
}

/** A response has a time also for a deadline that is a day: midnight without a fraction (§2.2). */
export const DeadlineTime = Type.String({
  format: 'date-time',
  description: 'Time in UTC. If only the day is known, 00:00:00 without a fraction of a second.',
})

const CashMovement = closedObject('CashMovement', {
  CashMovementType: describe(enums.MovementType, 'Whether cash is received or paid.'),
  Currency,
  PriceType: field(enums.PriceType, 'Whether the figures are amounts or percentages.'),
  Amount: quantity('Amount.'),
  DeemedRate: quantity('Rate that is deemed to be paid.'),
  GrossDividend: quantity('Per unit, before tax.'),
  InterestRate: quantity('Interest rate.'),
  NetDividend: quantity('Per unit, after tax.'),
  OfferPrice: quantity('Offer price per unit.'),
  Quantity: quantity('Number of units the figures apply to.'),
  SubscriptionPrice: quantity('Price of a new unit.'),
})

function securityMovement(Day: TString) {
  return closedObject('SecurityMovement', {
    SecurityMovementType: describe(enums.MovementType, 'Whether securities are received or delivered.'),
    Currency,
    DisplayAndFormat: field(DisplayAndFormat, 'Names of the security.'),
    Uic: field(Type.Integer({ minimum: 1, maximum: 4_294_967_295 }), 'The security, if it is a known instrument.'),
    HeldQuantity: quantity('Units held per ReceivedQuantity.'),
    ReceivedQuantity: quantity('Units received per HeldQuantity.'),
    NewQuantity: quantity('New units per OldQuantity.'),
    OldQuantity: quantity('Old units replaced by NewQuantity.'),
    AvailableForTrade: field(dateAndStatus(Day), 'First trading day.'),
    LastTrade: field(dateAndStatus(Day), 'Last trading day.'),
    PariPassu: field(dateAndStatus(Day), 'Day from which new and old securities rank equally and trade as one.'),
    ReinvestmentPrice: quantity('Price of a unit bought with a reinvested dividend, in Currency.'),
  })
}

const Payout = closedObject('Payout', {
  Amount: describe(Quantity, 'Amount of the component.'),
  Component: describe(CodeDescription, 'Kind of the component.'),
  Currency,
})

/** An option without its OptionType, whose codes are a closed list in records. */
export function optionFields(Day: TString, Time: TString) {
  /** Has either Date or Status. */
  const Deadline = closedObject('Deadline', { Date: Type.Optional(Time), Status: Type.Optional(enums.DateStatus) })
  const period = (description: string) => field(datePeriod(Day), description)
  return {
    OptionId: Type.String({ minLength: 1, maxLength: 20, description: 'Number of the option within the event.' }),
    Deadline: field(Deadline, 'Deadline for elections.'),
    IssuerDeadline: field(Deadline, "Issuer's deadline for elections."),
    MarketDeadline: field(Deadline, "Market's deadline for elections."),
    Payment: field(dateAndStatus(Day), 'Payment date.'),
    ElectionPeriod: period('Period in which the option can be elected.'),
    TradingPeriod: period('Period in which the entitlements trade.'),
    IsDefault: flag('Whether it applies to holders who do not elect.'),
    IsGross: flag('Whether figures are before tax.'),
    IsTaxable: flag('Whether the proceeds are taxable.'),
    CashRequired: flag('Whether the holder has to pay cash.'),
    OptionStatus: field(enums.OptionStatus, 'Set if the option is not available.'),
    GrossRate: quantity('Per unit, before tax.'),
    NetRate: quantity('Per unit, after tax.'),
    ...bids,
    MaxExercisableQuantity: quantity('Maximum quantity that can be elected.'),
    MinExercisableQuantity: quantity('Minimum quantity that can be elected.'),
    MinExercisableMultipleQuantity: quantity('Elected quantities must be a multiple of this.'),
    ...lots,
    Narrative,
    OptionIndicators: field(Indicators, 'Indicator codes of the option.'),
    CashMovements: list(CashMovement, 'Cash received or paid.'),
    PayoutBreakdown: list(Payout, 'Components of the payment.'),
    SecurityMovements: list(securityMovement(Day), 'Securities received or delivered.'),
  }
}
