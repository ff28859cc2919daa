import { algoStrategyNames } from '../../../core/asset-type.ts'
import { named, oneOf, words } from '../../../core/schema.ts'

const enumeration = <const Lines extends readonly string[]>(title: string, description: string, ...values: Lines) =>
  named(title, oneOf(...words(...values)), description)

/** The enumerations of reference data (§6.7). TradingStatus and AssetType are in core/, because access rules use them. */
export const NonTradableReason = enumeration(
  'NonTradableReason',
  'Why an instrument cannot be traded; None if it can.',
  'ETFsWithoutKIIDs ExpiredInstrument NonShortableInstrument None NotOnlineClientTradable OfflineTradableBonds',
  'OtherReason ReduceOnlyInstrument',
)

export const ExerciseStyle = enumeration(
  'ExerciseStyle',
  'American options can be exercised on any day until they expire, European options only at expiry.',
  'American European',
)
export const SettlementStyle = enumeration(
  'SettlementStyle',
  'Whether a contract is settled in cash or by delivery of the underlying.',
  'CashDelivery PhysicalDelivery',
)
export const PutCall = enumeration('PutCall', 'The right to buy (Call) or to sell (Put).', 'Call Put')
export const LotSizeType = enumeration(
  'LotSizeType',
  'Whether amounts other than whole lots can be traded.',
  'BuyOnly NotUsed OddLotsAllowed OddLotsNotAllowed',
)

export const displayHints = words(
  'Continuous CryptoCurrencies Etc Etf Etn Forex Fund Interests None PreciousMetal Rights StockIndices Warrant',
)
export const DisplayHintType = named(
  'DisplayHint',
  oneOf(...displayHints),
  'How to present an instrument where the asset type alone is not enough.',
)

export const PlaceableOrderType = enumeration(
  'PlaceableOrderType',
  'An order type.',
  'Algorithmic DealCapture GuaranteedStop Limit Market Stop StopIfTraded StopLimit Switch TrailingStop',
  'TrailingStopIfTraded Traspaso TraspasoIn TriggerBreakout TriggerLimit TriggerStop',
)

export const OrderDurationType = enumeration(
  'OrderDurationType',
  'How long an order stays in force.',
  'AtTheClose AtTheOpening DayOrder FillOrKill GoodForPeriod GoodTillCancel GoodTillDate ImmediateOrCancel',
)

const optionStrategies = words(
  'BackRatio Butterfly CalendarSpread Combo Condor Custom Diagonal Gut IronButterfly IronCondor RiskReversal',
  'Straddle Strangle Synthetic Vertical',
)
export const OptionsStrategyType = named(
  'OptionsStrategyType',
  oneOf(...optionStrategies),
  'A strategy of several options traded as one order.',
)
export const SupportedStrategy = named(
  'SupportedStrategy',
  oneOf(...optionStrategies, ...algoStrategyNames),
  'A strategy of several options, or in the vendor profile an algorithmic strategy.',
)

export const RelatedOptionType = enumeration(
  'RelatedOptionType',
  'Whether the contracts of the root are standard or were adjusted after a corporate action.',
  'Adjusted AdjustedWithDifferentMarket Default DefaultWithDifferentMarket',
)
export const OrderDistanceType = enumeration('OrderDistanceType', 'The unit of a distance.', 'Percentage Pips Price')
export const SlippageType = enumeration('SlippageType', 'The unit of a slippage.', 'Percentage Pips Ticks')

export const PriceFormat = enumeration(
  'PriceFormat',
  'How prices are written; Normal is omitted from responses.',
  'AllowDecimalPips AllowTwoDecimalPips Fractions ModernFractions Normal Percentage',
)

export const SessionState = enumeration(
  'SessionState',
  'The state of the market: AutomatedTrading is the regular session.',
  'Auction AutomatedTrading Break CallAuctionTrading Closed Halt OpeningAuction PitTrading PostAutomatedTrading',
  'PostMarket PostTrading PreAutomatedTrading PreMarket PreTrading Suspended TradingAtLast Undefined',
)

export const BuySell = enumeration('BuySell', 'The side of a trade.', 'Buy Sell')
export const StrategyType = enumeration(
  'StrategyType',
  'A strategy of several futures traded as one.',
  'CalendarSpread',
)

export const BondType = enumeration(
  'BondType',
  'The kind of a bond.',
  'Convertible DualCurrency FloatingRateNote InflationLinked NonInflationLinked Perpetual',
)
export const CouponType = enumeration('CouponType', 'How the interest of a bond is set.', 'Fixed None Other Variable')

export const OptionSpaceSegment = enumeration(
  'OptionSpaceSegment',
  'Which series include their options.',
  'AllDates DefaultDates None SpecificDates UnderlyingUic',
)
export const SummaryType = enumeration(
  'SummaryType',
  'Whether a result is an instrument or an option root.',
  'ContractOptionRoot Instrument',
)

export const optionAssetTypes = ['FuturesOption', 'StockIndexOption', 'StockOption'] as const
export const OptionAssetType = named('OptionAssetType', oneOf(...optionAssetTypes), 'The asset type of an option root.')
