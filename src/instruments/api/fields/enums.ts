import { named, oneOf, words } from '../../../core/schema.ts'

/** The enumerations of reference data (§6.7). TradingStatus and AssetType are in core/, because access rules use them. */
export const NonTradableReason = named(
  'NonTradableReason',
  oneOf(
    ...words(
      'ETFsWithoutKIIDs ExpiredInstrument NonShortableInstrument None NotOnlineClientTradable OfflineTradableBonds',
      'OtherReason ReduceOnlyInstrument',
    ),
  ),
  'Why an instrument cannot be traded; None if it can.',
)

export const ExerciseStyle = named(
  'ExerciseStyle',
  oneOf('American', 'European'),
  'American options can be exercised on any day until they expire, European options only at expiry.',
)
export const SettlementStyle = named(
  'SettlementStyle',
  oneOf('CashDelivery', 'PhysicalDelivery'),
  'Whether a contract is settled in cash or by delivery of the underlying.',
)
export const PutCall = named('PutCall', oneOf('Call', 'Put'), 'The right to buy (Call) or to sell (Put).')
export const LotSizeType = named(
  'LotSizeType',
  oneOf('BuyOnly', 'NotUsed', 'OddLotsAllowed', 'OddLotsNotAllowed'),
  'Whether amounts other than whole lots can be traded.',
)

export const displayHints = words(
  'Continuous CryptoCurrencies Etc Etf Etn Forex Fund Interests None PreciousMetal Rights StockIndices Warrant',
)
export const DisplayHintType = named(
  'DisplayHint',
  oneOf(...displayHints),
  'How to present an instrument where the asset type alone is not enough.',
)

export const PlaceableOrderType = named(
  'PlaceableOrderType',
  oneOf(
    ...words(
      'Algorithmic DealCapture GuaranteedStop Limit Market Stop StopIfTraded StopLimit Switch TrailingStop',
      'TrailingStopIfTraded Traspaso TraspasoIn TriggerBreakout TriggerLimit TriggerStop',
    ),
  ),
  'An order type.',
)

export const OrderDurationType = named(
  'OrderDurationType',
  oneOf(
    ...words('AtTheClose AtTheOpening DayOrder FillOrKill GoodForPeriod GoodTillCancel GoodTillDate ImmediateOrCancel'),
  ),
  'How long an order stays in force.',
)

export const OptionsStrategyType = named(
  'OptionsStrategyType',
  oneOf(
    ...words(
      'BackRatio Butterfly CalendarSpread Combo Condor Custom Diagonal Gut IronButterfly IronCondor RiskReversal',
      'Straddle Strangle Synthetic Vertical',
    ),
  ),
  'A strategy of several options traded as one order.',
)

export const RelatedOptionType = named(
  'RelatedOptionType',
  oneOf('Adjusted', 'AdjustedWithDifferentMarket', 'Default', 'DefaultWithDifferentMarket'),
  'Whether the contracts of the root are standard or were adjusted after a corporate action.',
)
export const OrderDistanceType = named(
  'OrderDistanceType',
  oneOf('Percentage', 'Pips', 'Price'),
  'The unit of a distance.',
)
export const SlippageType = named('SlippageType', oneOf('Percentage', 'Pips', 'Ticks'), 'The unit of a slippage.')

export const PriceFormat = named(
  'PriceFormat',
  oneOf('AllowDecimalPips', 'AllowTwoDecimalPips', 'Fractions', 'ModernFractions', 'Normal', 'Percentage'),
  'How prices are written; Normal is omitted from responses.',
)

export const SessionState = named(
  'SessionState',
  oneOf(
    ...words(
      'Auction AutomatedTrading Break CallAuctionTrading Closed Halt OpeningAuction PitTrading PostAutomatedTrading',
      'PostMarket PostTrading PreAutomatedTrading PreMarket PreTrading Suspended TradingAtLast Undefined',
    ),
  ),
  'The state of the market: AutomatedTrading is the regular session.',
)

export const OptionSpaceSegment = named(
  'OptionSpaceSegment',
  oneOf('AllDates', 'DefaultDates', 'None', 'SpecificDates', 'UnderlyingUic'),
  'Which series include their options.',
)
export const SummaryType = named(
  'SummaryType',
  oneOf('ContractOptionRoot', 'Instrument'),
  'Whether a result is an instrument or an option root.',
)

export const optionAssetTypes = ['FuturesOption', 'StockIndexOption', 'StockOption'] as const
export const OptionAssetType = named('OptionAssetType', oneOf(...optionAssetTypes), 'The asset type of an option root.')
