import { type Static, Type } from 'typebox'
import { AssetType } from '../../../core/asset-type.ts'
import { currencyCode, describe, matching, optional, singleLine } from '../../../core/schema.ts'
import {
  BuySell,
  OrderDistanceType,
  OrderDurationType,
  PlaceableOrderType,
  PriceFormat,
  SessionState,
} from './enums.ts'
import { scheduleExample } from './examples.ts'

/** Uics, option root ids and group ids are positive 32-bit integers. */
export const Id = Type.Integer({ minimum: 1, maximum: 4_294_967_295 })
export const Day = Type.String({ format: 'date', description: 'A calendar day.' })
export const DateTime = Type.String({ format: 'date-time' })
export const Currency = Type.String({ ...currencyCode, description: 'ISO 4217 currency code.' })
export const Country = Type.String({
  ...matching('a two-letter country code such as US', '^[A-Z]{2}$'),
  description: 'ISO 3166-1 country code; ZZ means no country.',
})
export const ExchangeId = Type.String({
  ...matching('1 to 32 letters, digits, dots, hyphens or underscores', '^[A-Za-z0-9_.-]{1,32}$'),
  description: 'The exchange id.',
})
export const CalendarId = describe(ExchangeId, 'The calendar id.')
export const Mic = Type.String({
  ...matching('a four-character market identifier code such as XNAS', '^[A-Z0-9]{4}$'),
  description: 'ISO 10383 market identifier code.',
})
export const SymbolText = Type.String({
  minLength: 1,
  maxLength: 60,
  ...matching('1 to 60 characters without spaces or control characters', '^[^\\s\\p{Cc}]+$'),
  description: 'The symbol.',
})
export const Description = Type.String({
  minLength: 1,
  maxLength: 300,
  ...matching('1 to 300 characters without control characters', '^[^\\p{Cc}]*$'),
  description: 'The name, in English.',
})
export const TimeOfDay = Type.String({
  ...matching('a time such as 13:00:00', '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$'),
  description: 'A time of day.',
})
export const Decimals = Type.Integer({ minimum: 0, maximum: 12 })
export const Positive = Type.Number({ minimum: 0, maximum: 1e15 })
export const Whole = Type.Integer({ minimum: 0, maximum: 1e15 })
/** A number of days. */
export const Days = Type.Integer({ minimum: 0, maximum: 1_000 })
export const closed = { additionalProperties: false }

export const Format = Type.Object(
  {
    BarrierDecimals: optional(Decimals, 'Decimals of the barrier of an option.'),
    BarrierFormat: optional(PriceFormat, 'How the barrier of an option is written.'),
    Decimals: optional(Decimals, 'Decimals of a price.'),
    Format: Type.Optional(PriceFormat),
    NumeratorDecimals: optional(Decimals, 'Decimals of the numerator where prices are fractions: 1 for 16.5/32.'),
    OrderDecimals: optional(Decimals, 'Decimals allowed in an order price.'),
    PriceCurrency: optional(Currency, 'The currency of prices.'),
    StrikeDecimals: optional(Decimals, 'Decimals of a strike price.'),
    StrikeFormat: optional(PriceFormat, 'How a strike price is written.'),
  },
  { ...closed, title: 'InstrumentFormat' },
)

const distance = (order: string) => optional(Positive, `Default distance of ${order} from the current price.`)
const DistanceType = optional(OrderDistanceType, 'The unit of the distance.')

export const OrderDistances = Type.Object(
  {
    EntryDefaultDistance: distance('an entry order'),
    EntryDefaultDistanceType: DistanceType,
    LimitDefaultDistance: distance('a limit order'),
    LimitDefaultDistanceType: DistanceType,
    StopLimitDefaultDistance: distance('the limit of a stop-limit order'),
    StopLimitDefaultDistanceType: DistanceType,
    StopLossDefaultDistance: distance('a stop-loss order'),
    StopLossDefaultDistanceType: DistanceType,
    StopLossDefaultEnabled: optional(Type.Boolean(), 'Whether a stop-loss order is suggested by default.'),
    StopLossDefaultOrderType: optional(PlaceableOrderType, 'The order type of a stop-loss order.'),
    TakeProfitDefaultDistance: distance('a take-profit order'),
    TakeProfitDefaultDistanceType: DistanceType,
    TakeProfitDefaultEnabled: optional(Type.Boolean(), 'Whether a take-profit order is suggested by default.'),
  },
  { ...closed, title: 'OrderDistances' },
)

const TickSizeSchemeElement = Type.Object(
  {
    HighPrice: describe(Positive, 'The highest price this element applies to.'),
    TickSize: describe(Positive, 'The smallest price movement in this range.'),
  },
  { ...closed, title: 'TickSizeSchemeElement' },
)
export const TickSizeScheme = Type.Object(
  {
    DefaultTickSize: describe(Positive, 'The tick size where no element applies.'),
    Elements: optional(Type.Array(TickSizeSchemeElement, { maxItems: 100 }), 'Price ranges, lowest first.'),
  },
  { ...closed, title: 'TickSizeScheme' },
)

export const OrderSetting = Type.Object(
  {
    Currency: Type.Optional(Currency),
    MaxOrderSize: optional(Whole, 'The largest amount of one order.'),
    MaxOrderValue: optional(Whole, 'The highest value of one order.'),
    MinOrderValue: optional(Whole, 'The lowest value of one order.'),
  },
  { ...closed, title: 'OrderSetting' },
)

export const SupportedOrderTypeSetting = Type.Object(
  {
    OrderType: PlaceableOrderType,
    DurationTypes: Type.Array(OrderDurationType, { maxItems: 8, description: 'The durations allowed for it.' }),
  },
  { ...closed, title: 'SupportedOrderTypeSetting' },
)

export const Text = Type.String(singleLine(1, 200))
export const DeflationFloor = Type.Object(
  { Key: describe(Text, 'A code of the protection.'), Value: describe(Text, 'The protection in words.') },
  { ...closed, title: 'DeflationFloorProtection' },
)

export const StrategyLeg = Type.Object(
  {
    LegNumber: Type.Integer({ minimum: 1, maximum: 100, description: 'The place of the leg, from 1.' }),
    Uic: describe(Id, 'The Uic of the leg.'),
    AssetType,
    BuySell,
    Multiplier: describe(Positive, 'How many of the leg one unit of the strategy has.'),
    Description: Type.Optional(Description),
  },
  { ...closed, title: 'StrategyLeg' },
)

const ipoTime = (what: string) => optional(DateTime, what)
export const IpoDetails = Type.Object(
  {
    ActivationFrom: ipoTime('When subscription begins, UTC.'),
    ActivationTo: ipoTime('When subscription ends, UTC.'),
    AllotmentDate: ipoTime('When shares are allotted, UTC.'),
    Denominations: optional(Type.Array(Id, { maxItems: 100 }), 'The numbers of shares that can be subscribed to.'),
    ListingDate: ipoTime('When the shares are listed, UTC.'),
    MarketDeadline: ipoTime('The last moment at which the market takes subscriptions, UTC.'),
    MaxLeveragePct: optional(Type.Integer({ minimum: 0, maximum: 100 }), 'How much can be borrowed, in percent.'),
    MaxLotSize: optional(Id, 'The largest subscription.'),
  },
  { ...closed, title: 'IpoDetails' },
)

export const ExchangeSummary = Type.Object(
  {
    CountryCode: Country,
    ExchangeId,
    Name: Type.String({ description: 'The name of the exchange.' }),
    PriceSourceName: optional(Type.String(), 'The provider of its prices.'),
    TimeZoneId: optional(Type.String(), 'The number of its time zone, as a string.'),
  },
  { title: 'ExchangeSummary', description: 'The exchange where it is traded; for a CFD, that of its underlying.' },
)

const TradingSession = Type.Object(
  {
    StartTime: describe(DateTime, 'The start, UTC.'),
    EndTime: describe(DateTime, 'The end, which is the start of the next session, UTC.'),
    State: describe(SessionState, 'The state of the market: AutomatedTrading is the regular session.'),
  },
  { title: 'TradingSession' },
)
export const TradingSchedule = Type.Object(
  {
    Sessions: Type.Array(TradingSession, {
      description: 'Sessions in order and without gaps, from the current one through the next seven days.',
    }),
    TimeZone: Type.Integer({ description: 'The number of the time zone of the exchange.' }),
    TimeZoneAbbreviation: Type.String({ description: 'The current abbreviation of the time zone: EST, EDT.' }),
    TimeZoneOffset: Type.String({ description: 'The current offset from UTC: -05:00:00.' }),
  },
  { title: 'TradingSchedule', examples: [scheduleExample], description: 'The trading sessions of an instrument.' },
)
export type TradingSchedule = Static<typeof TradingSchedule>
