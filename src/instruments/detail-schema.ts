import { type Static, Type } from 'typebox'
import { AssetType } from '../core/asset-type.ts'
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
export const Day = Type.String({ format: 'date' })
export const DateTime = Type.String({ format: 'date-time' })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })
export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code.' })
export const ExchangeId = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,32}$' })
export const SymbolText = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\s\\p{Cc}]+$' })
export const Description = Type.String({ minLength: 1, maxLength: 300, pattern: '^[^\\p{Cc}]*$' })
const Decimals = Type.Integer({ minimum: 0, maximum: 12 })
const Positive = Type.Number({ minimum: 0, maximum: 1e15 })
const closed = { additionalProperties: false }

export const Format = Type.Object(
  {
    Decimals: Type.Optional(Decimals),
    Format: Type.Optional(PriceFormat),
    OrderDecimals: Type.Optional(Decimals),
    StrikeDecimals: Type.Optional(Decimals),
  },
  closed,
)

/** §2.8. */
export const OrderDistances = Type.Object(
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
  closed,
)

export const TickSizeScheme = Type.Object(
  {
    DefaultTickSize: Positive,
    Elements: Type.Optional(
      Type.Array(Type.Object({ HighPrice: Positive, TickSize: Positive }, closed), { maxItems: 100 }),
    ),
  },
  closed,
)

export const OrderSetting = Type.Object(
  {
    Currency: Type.Optional(Currency),
    MaxOrderSize: Type.Optional(Positive),
    MaxOrderValue: Type.Optional(Positive),
    MinOrderValue: Type.Optional(Positive),
  },
  closed,
)

export const SupportedOrderTypeSetting = Type.Object(
  { OrderType: PlaceableOrderType, DurationTypes: Type.Array(OrderDurationType, { maxItems: 8 }) },
  closed,
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
  RelatedInstruments: Type.Optional(Type.Array(Type.Object({ AssetType, Uic: Id }, closed), { maxItems: 200 })),
  RelatedOptionRootsEnhanced: Type.Optional(
    Type.Array(Type.Object({ AssetType, OptionRootId: Id, OptionType: RelatedOptionType }, closed), { maxItems: 200 }),
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
