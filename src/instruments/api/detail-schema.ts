import { type Static, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe, describeMembers } from '../../core/schema.ts'
import {
  DisplayHintType,
  ExerciseStyle,
  LotSizeType,
  OptionsStrategyType,
  OrderDistanceType,
  OrderDurationType,
  PlaceableOrderType,
  PriceFormat,
  RelatedOptionType,
  SettlementStyle,
  SlippageType,
  TradingStatus,
} from './enums.ts'

/** Uics, option roots, groups: positive whole numbers of 32 bits. */
export const Id = Type.Integer({ minimum: 1, maximum: 4_294_967_295 })
export const Day = Type.String({ format: 'date', description: 'A day.' })
export const DateTime = Type.String({ format: 'date-time' })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })
export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code; ZZ: of no country.' })
export const ExchangeId = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,32}$', description: 'Its id.' })
export const SymbolText = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\s\\p{Cc}]+$',
  description: 'Its symbol.',
})
export const Description = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: '^[^\\p{Cc}]*$',
  description: 'What it is, in English.',
})
const Decimals = Type.Integer({ minimum: 0, maximum: 12 })
const Positive = Type.Number({ minimum: 0, maximum: 1e15 })
const closed = { additionalProperties: false }

const formatTexts = {
  Decimals: 'How many decimals a price has.',
  OrderDecimals: 'How many decimals the price of an order may have.',
  StrikeDecimals: 'How many decimals a strike has.',
}

const distance = (kind: string) => `How far from the price ${kind} is placed by default.`
const unit = 'The unit of the distance.'
const distanceTexts = {
  EntryDefaultDistance: distance('an entry order'),
  EntryDefaultDistanceType: unit,
  LimitDefaultDistance: distance('a limit order'),
  LimitDefaultDistanceType: unit,
  StopLimitDefaultDistance: distance('the limit of a stop limit order'),
  StopLimitDefaultDistanceType: unit,
  StopLossDefaultDistance: distance('a stop loss'),
  StopLossDefaultDistanceType: unit,
  StopLossDefaultEnabled: 'Whether a stop loss is offered at once.',
  StopLossDefaultOrderType: 'The kind of order that a stop loss is.',
  TakeProfitDefaultDistance: distance('an order that takes the profit'),
  TakeProfitDefaultDistanceType: unit,
  TakeProfitDefaultEnabled: 'Whether an order that takes the profit is offered at once.',
}

export const Format = Type.Object(
  describeMembers(
    {
      Decimals: Type.Optional(Decimals),
      Format: Type.Optional(PriceFormat),
      OrderDecimals: Type.Optional(Decimals),
      StrikeDecimals: Type.Optional(Decimals),
    },
    formatTexts,
  ),
  { ...closed, title: 'InstrumentFormat' },
)

/** §2.8. */
export const OrderDistances = Type.Object(
  describeMembers(
    {
      EntryDefaultDistance: Type.Optional(Positive),
      EntryDefaultDistanceType: Type.Optional(OrderDistanceType),
      LimitDefaultDistance: Type.Optional(Positive),
      LimitDefaultDistanceType: Type.Optional(OrderDistanceType),
      StopLimitDefaultDistance: Type.Optional(Positive),
      StopLimitDefaultDistanceType: Type.Optional(OrderDistanceType),
      StopLossDefaultDistance: Type.Optional(Positive),
      StopLossDefaultDistanceType: Type.Optional(OrderDistanceType),
      StopLossDefaultEnabled: Type.Optional(Type.Boolean()),
      StopLossDefaultOrderType: Type.Optional(PlaceableOrderType),
      TakeProfitDefaultDistance: Type.Optional(Positive),
      TakeProfitDefaultDistanceType: Type.Optional(OrderDistanceType),
      TakeProfitDefaultEnabled: Type.Optional(Type.Boolean()),
    },
    distanceTexts,
  ),
  { ...closed, title: 'OrderDistances' },
)

export const TickSizeScheme = Type.Object(
  {
    DefaultTickSize: describe(Positive, 'The movement where no element applies.'),
    Elements: Type.Optional(
      Type.Array(
        Type.Object(
          {
            HighPrice: describe(Positive, 'The highest price that the element is for.'),
            TickSize: describe(Positive, 'The smallest movement of such a price.'),
          },
          { ...closed, title: 'TickSizeSchemeElement' },
        ),
        { maxItems: 100, description: 'By price, the lowest first.' },
      ),
    ),
  },
  { ...closed, title: 'TickSizeScheme' },
)

export const OrderSetting = Type.Object(
  {
    Currency: Type.Optional(Currency),
    MaxOrderSize: Type.Optional(describe(Positive, 'The largest amount of one order.')),
    MaxOrderValue: Type.Optional(describe(Positive, 'The highest value of one order.')),
    MinOrderValue: Type.Optional(describe(Positive, 'The lowest value of one order.')),
  },
  { ...closed, title: 'OrderSetting' },
)

export const SupportedOrderTypeSetting = Type.Object(
  {
    OrderType: PlaceableOrderType,
    DurationTypes: Type.Array(OrderDurationType, {
      maxItems: 8,
      description: 'How long orders of this kind may last.',
    }),
  },
  { ...closed, title: 'SupportedOrderTypeSetting' },
)

/**
 * What is known of an instrument in one of its asset types, or of an option root (§2.6): the members of a record and of
 * an answer alike, in the interface's own names.
 */
export const details = {
  AmountDecimals: Type.Optional(Decimals),
  CanParticipateInMultiLegOrder: Type.Optional(Type.Boolean()),
  ContractSize: Type.Optional(Positive),
  CurrencyCode: Type.Optional(Currency),
  DefaultAmount: Type.Optional(Positive),
  DefaultSlippage: Type.Optional(Positive),
  DefaultSlippageType: Type.Optional(SlippageType),
  Description: Type.Optional(Description),
  DisplayHint: Type.Optional(DisplayHintType),
  ExerciseStyle: Type.Optional(ExerciseStyle),
  ExpiryDate: Type.Optional(Day),
  Format: Type.Optional(Format),
  FxForwardMaxForwardDate: Type.Optional(Day),
  FxForwardMinForwardDate: Type.Optional(Day),
  GroupId: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
  IncrementSize: Type.Optional(Positive),
  IsComplex: Type.Optional(Type.Boolean()),
  IsRedemptionByAmounts: Type.Optional(Type.Boolean()),
  LotSize: Type.Optional(Positive),
  LotSizeType: Type.Optional(LotSizeType),
  MinimumLotSize: Type.Optional(Positive),
  MinimumOrderValue: Type.Optional(Positive),
  MinimumTradeSize: Type.Optional(Positive),
  NoticeDate: Type.Optional(Day),
  OrderDistances: Type.Optional(OrderDistances),
  OrderSetting: Type.Optional(OrderSetting),
  PriceCurrency: Type.Optional(Currency),
  PriceToContractFactor: Type.Optional(Positive),
  PrimaryListing: Type.Optional(Id),
  RelatedInstruments: Type.Optional(
    Type.Array(
      Type.Object({ AssetType, Uic: describe(Id, 'Its number.') }, { ...closed, title: 'RelatedInstrument' }),
      { maxItems: 200 },
    ),
  ),
  RelatedOptionRootsEnhanced: Type.Optional(
    Type.Array(
      Type.Object(
        { AssetType, OptionRootId: describe(Id, 'Its number.'), OptionType: RelatedOptionType },
        { ...closed, title: 'RelatedOptionRoot' },
      ),
      { maxItems: 200 },
    ),
  ),
  SettlementStyle: Type.Optional(SettlementStyle),
  StandardAmounts: Type.Optional(Type.Array(Positive, { maxItems: 50 })),
  SupportedOrderTypes: Type.Optional(Type.Array(PlaceableOrderType, { maxItems: 16 })),
  SupportedOrderTypeSettings: Type.Optional(Type.Array(SupportedOrderTypeSetting, { maxItems: 16 })),
  SupportedStrategies: Type.Optional(Type.Array(OptionsStrategyType, { maxItems: 15 })),
  Symbol: Type.Optional(SymbolText),
  TickSize: Type.Optional(Positive),
  TickSizeScheme: Type.Optional(TickSizeScheme),
  TradingStatus: Type.Optional(TradingStatus),
  UnderlyingAssetType: Type.Optional(AssetType),
  UnderlyingUic: Type.Optional(Id),
}

const Details = Type.Object(details)
export type Details = Static<typeof Details>
