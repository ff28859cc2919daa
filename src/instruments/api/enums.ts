import { named, oneOf } from '../../core/schema.ts'

/** The closed sets of reference data (contract §6), each declared once. */
export const TradingStatus = named(
  'TradingStatus',
  oneOf('NonTradable', 'NotDefined', 'ReduceOnly', 'Tradable'),
  'Whether anybody may trade it. NotDefined counts as tradable; ReduceOnly may only be sold.',
)

export const NonTradableReason = named(
  'NonTradableReason',
  oneOf(
    'ETFsWithoutKIIDs',
    'ExpiredInstrument',
    'NonShortableInstrument',
    'None',
    'NotOnlineClientTradable',
    'OfflineTradableBonds',
    'OtherReason',
    'ReduceOnlyInstrument',
  ),
  'Why it cannot be traded; None when it can.',
)

export const ExerciseStyle = named(
  'ExerciseStyle',
  oneOf('American', 'European'),
  'American: exercised on any day; European: on the last one.',
)
export const SettlementStyle = named(
  'SettlementStyle',
  oneOf('CashDelivery', 'PhysicalDelivery'),
  'Whether money or the underlying changes hands.',
)
export const PutCall = named('PutCall', oneOf('Call', 'Put'), 'The right to buy (Call) or to sell (Put).')
export const LotSizeType = named(
  'LotSizeType',
  oneOf('BuyOnly', 'NotUsed', 'OddLotsAllowed', 'OddLotsNotAllowed'),
  'Whether amounts other than whole lots can be traded.',
)

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
export const DisplayHintType = named(
  'DisplayHint',
  oneOf(...displayHints),
  'How a client should show it, where the asset type alone does not say.',
)

export const PlaceableOrderType = named(
  'PlaceableOrderType',
  oneOf(
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
  ),
  'Kinds of order.',
)

export const OrderDurationType = named(
  'OrderDurationType',
  oneOf(
    'AtTheClose',
    'AtTheOpening',
    'DayOrder',
    'FillOrKill',
    'GoodForPeriod',
    'GoodTillCancel',
    'GoodTillDate',
    'ImmediateOrCancel',
  ),
  'How long an order may last.',
)

export const OptionsStrategyType = named(
  'OptionsStrategyType',
  oneOf(
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
  ),
  'Strategies of several options that are traded as one.',
)

export const RelatedOptionType = named(
  'RelatedOptionType',
  oneOf('Adjusted', 'AdjustedWithDifferentMarket', 'Default', 'DefaultWithDifferentMarket'),
  'Whether the root is the usual one, or one whose contracts were adjusted after a corporate action.',
)
export const OrderDistanceType = named(
  'OrderDistanceType',
  oneOf('Percentage', 'Pips', 'Price'),
  'The unit of a distance.',
)
export const SlippageType = named('SlippageType', oneOf('Percentage', 'Pips', 'Ticks'), 'The unit of a slippage.')

/** Normal is what a format is when it says nothing: it is left out of answers. */
export const PriceFormat = named(
  'PriceFormat',
  oneOf('AllowDecimalPips', 'AllowTwoDecimalPips', 'Fractions', 'ModernFractions', 'Normal', 'Percentage'),
  'How prices are written; Normal is left out of answers.',
)

export const SessionState = named(
  'SessionState',
  oneOf(
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
  ),
  'What takes place at the exchange: AutomatedTrading is the regular session.',
)

export const OptionSpaceSegment = named(
  'OptionSpaceSegment',
  oneOf('AllDates', 'DefaultDates', 'None', 'SpecificDates', 'UnderlyingUic'),
  'Which series tell their options.',
)
export const SummaryType = named(
  'SummaryType',
  oneOf('ContractOptionRoot', 'Instrument'),
  'Whether an entry is an instrument or an option root.',
)

/** The asset types that option roots have (§2.6). */
export const optionAssetTypes = ['FuturesOption', 'StockIndexOption', 'StockOption'] as const
export const OptionAssetType = named('OptionAssetType', oneOf(...optionAssetTypes), 'The asset types of option roots.')
