import type { InstrumentDetails } from '../../../instruments/api/schema.ts'

export type Field = keyof InstrumentDetails
type Help = readonly [label: string, sentence: string]

/** Every member of an instrument's details for people who have not read the specification: a name and one sentence. */
export const fieldHelp: Record<Field, Help> = {
  AmountDecimals: [
    'Decimals of the amount',
    'How many digits after the point an amount may have; 0 means whole units.',
  ],
  AssetType: ['Asset type', 'As what it is traded here. The same thing can be a stock and a CFD on that stock.'],
  CanParticipateInMultiLegOrder: ['In strategies', 'Whether it can be one leg of an order that has several.'],
  ContractSize: ['Contract size', 'How many units of the underlying one contract stands for.'],
  CurrencyCode: ['Currency', 'The currency that it is traded and settled in.'],
  DefaultAmount: ['Amount to begin with', 'What a trade ticket proposes until somebody types another amount.'],
  DefaultSlippage: ['Slippage', 'How far the price may move against an order before it is no longer filled.'],
  DefaultSlippageType: ['Unit of the slippage', 'Whether the slippage counts percent, pips or ticks.'],
  Description: ['Name', 'What it is called.'],
  DisplayHint: ['Shown as', 'A hint to apps which kind of thing it is, where the asset type alone does not tell.'],
  Exchange: ['Exchange', 'Where it is traded; of a CFD, where its underlying is.'],
  ExerciseStyle: [
    'Exercise',
    'American options can be exercised on any day until they expire, European ones only then.',
  ],
  ExpiryDate: ['Expires', 'The last day of its life; after it nothing is left but the settlement.'],
  Format: ['Price format', 'How its prices are written: with how many digits, and whether in fractions or pips.'],
  FxForwardMaxForwardDate: ['Latest value date', 'The latest day on which a forward can be settled.'],
  FxForwardMinForwardDate: ['Earliest value date', 'The earliest day on which a forward can be settled.'],
  GroupId: ['Group', 'Instruments with the same number belong together, such as two share classes of a company.'],
  IncrementSize: ['Step of the amount', 'Amounts grow in steps of this.'],
  IsComplex: ['Complex', 'Complex instruments may be traded only by who has shown to understand their risk.'],
  IsRedemptionByAmounts: [
    'Sold by money',
    'Whether a fund is sold by an amount of money and not by a number of units.',
  ],
  IsTradable: ['Tradable', 'Whether you can trade it on at least one of your accounts.'],
  LotSize: ['Lot', 'How many units make a lot, the round number that the exchange trades in.'],
  LotSizeType: ['Odd lots', 'Whether amounts that are no whole lots can be traded.'],
  MinimumLotSize: ['Smallest lot', 'The fewest units that an order on the exchange may have.'],
  MinimumOrderValue: ['Smallest value', 'Amount times price must come to at least this.'],
  MinimumTradeSize: ['Smallest amount', 'Less than this cannot be traded.'],
  NonTradableReason: ['Why not', 'Why you cannot trade it; the table of your accounts says it for each.'],
  NoticeDate: ['First notice', 'From this day on who holds the future may be told to take delivery.'],
  OptionRootId: ['Option chain', 'All options on the same underlying with the same terms stand in one chain.'],
  OrderDistances: ['Order distances', 'How far from the price a trade ticket places an order until somebody moves it.'],
  OrderSetting: ['Bounds of an order', 'The largest and smallest order that is accepted, by amount and by value.'],
  PriceCurrency: ['Prices in', 'The currency of the price where it is another one: pence (GBX) of a share in pounds.'],
  PriceToContractFactor: ['Price factor', 'The price times this is what one contract costs.'],
  PrimaryListing: ['Primary listing', 'Where the same security is listed first, when it is traded at several places.'],
  PutCall: ['Put or call', 'A call is the right to buy the underlying at the strike, a put the right to sell it.'],
  RelatedInstruments: ['Related instruments', 'What has to do with it: other share classes, its index, a CFD on it.'],
  RelatedOptionRootsEnhanced: ['Option chains', 'The chains of options that are written on it.'],
  SettlementStyle: ['Settlement', 'Whether in the end money or the underlying itself changes hands.'],
  StandardAmounts: ['Usual amounts', 'The amounts that a trade ticket lists to choose from.'],
  StrikePrice: ['Strike', 'The price at which the option lets its holder buy or sell.'],
  SupportedOrderTypeSettings: ['Durations', 'How long an order of each kind can stay in force.'],
  SupportedOrderTypes: ['Order types', 'The kinds of order that can be placed in it.'],
  SupportedStrategies: ['Strategies', 'The combinations of several options that can be traded as one order.'],
  Symbol: ['Symbol', 'Its short name; after the colon stands the market, by its MIC in small letters.'],
  TickSize: ['Tick', 'The smallest step of the price.'],
  TickSizeScheme: ['Ticks by price', 'Where the smallest step depends on how high the price is.'],
  TradableAs: ['Tradable as', 'The asset types in which you can trade it.'],
  TradableOn: ['Tradable on', 'Those of your accounts on which you can trade it.'],
  TradingSessions: ['Sessions', 'When its market is open, from now on through the next seven days.'],
  TradingStatus: ['Status', 'Whether anybody can trade it; reduce only lets positions be closed but none be opened.'],
  Uic: ['Uic', 'Its number. Together with the asset type it names the instrument in every call.'],
  UnderlyingAssetType: ['Type of the underlying', 'The asset type of what it is derived from.'],
  UnderlyingUic: ['Underlying', 'What it is derived from and what its price follows.'],
}

/** What orders are called; the wire's names are plain enough otherwise. */
export const distanceHelp = {
  Entry: 'an order that opens a position',
  Limit: 'a limit order',
  StopLimit: 'the limit of a stop limit order',
  StopLoss: 'an order that bounds a loss',
  TakeProfit: 'an order that takes a profit',
} as const
