import { oneOf } from '../core/schema.ts'

/** The closed sets of reference data (contract §6), each declared once. */
export const TradingStatus = oneOf('NonTradable', 'NotDefined', 'ReduceOnly', 'Tradable')

export const NonTradableReason = oneOf(
  'ETFsWithoutKIIDs',
  'ExpiredInstrument',
  'NonShortableInstrument',
  'None',
  'NotOnlineClientTradable',
  'OfflineTradableBonds',
  'OtherReason',
  'ReduceOnlyInstrument',
)

export const ExerciseStyle = oneOf('American', 'European')
export const SettlementStyle = oneOf('CashDelivery', 'PhysicalDelivery')
export const PutCall = oneOf('Call', 'Put')
export const LotSizeType = oneOf('BuyOnly', 'NotUsed', 'OddLotsAllowed', 'OddLotsNotAllowed')

export const displayHints = [
  'Continuous',
  'CryptoCurrencies',
  'Etc',
  'Etf',
  'Etn',
  'Forex',
  'Fund',
  'Interests',
  'None',
  'PreciousMetal',
  'Rights',
  'StockIndices',
  'Warrant',
] as const
export const DisplayHintType = oneOf(...displayHints)

export const PlaceableOrderType = oneOf(
  'Algorithmic',
  'DealCapture',
  'GuaranteedStop',
  'Limit',
  'Market',
  'Stop',
  'StopIfTraded',
  'StopLimit',
  'Switch',
  'TrailingStop',
  'TrailingStopIfTraded',
  'Traspaso',
  'TraspasoIn',
  'TriggerBreakout',
  'TriggerLimit',
  'TriggerStop',
)

export const OrderDurationType = oneOf(
  'AtTheClose',
  'AtTheOpening',
  'DayOrder',
  'FillOrKill',
  'GoodForPeriod',
  'GoodTillCancel',
  'GoodTillDate',
  'ImmediateOrCancel',
)

export const OptionsStrategyType = oneOf(
  'BackRatio',
  'Butterfly',
  'CalendarSpread',
  'Combo',
  'Condor',
  'Custom',
  'Diagonal',
  'Gut',
  'IronButterfly',
  'IronCondor',
  'RiskReversal',
  'Straddle',
  'Strangle',
  'Synthetic',
  'Vertical',
)

export const RelatedOptionType = oneOf(
  'Adjusted',
  'AdjustedWithDifferentMarket',
  'Default',
  'DefaultWithDifferentMarket',
)
export const OrderDistanceType = oneOf('Percentage', 'Pips', 'Price')
export const SlippageType = oneOf('Percentage', 'Pips', 'Ticks')

/** Normal is what a format is when it says nothing: it is left out of answers. */
export const PriceFormat = oneOf(
  'AllowDecimalPips',
  'AllowTwoDecimalPips',
  'Fractions',
  'ModernFractions',
  'Normal',
  'Percentage',
)

export const SessionState = oneOf(
  'Auction',
  'AutomatedTrading',
  'Break',
  'CallAuctionTrading',
  'Closed',
  'Halt',
  'OpeningAuction',
  'PitTrading',
  'PostAutomatedTrading',
  'PostMarket',
  'PostTrading',
  'PreAutomatedTrading',
  'PreMarket',
  'PreTrading',
  'Suspended',
  'TradingAtLast',
  'Undefined',
)

export const OptionSpaceSegment = oneOf('AllDates', 'DefaultDates', 'None', 'SpecificDates', 'UnderlyingUic')
export const SummaryType = oneOf('ContractOptionRoot', 'Instrument')

/** The asset types that option roots have (§2.6). */
export const optionAssetTypes = ['FuturesOption', 'StockIndexOption', 'StockOption'] as const
export const OptionAssetType = oneOf(...optionAssetTypes)
