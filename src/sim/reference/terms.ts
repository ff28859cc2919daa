import type { Details } from '../../instruments/import/schema.ts'

/** What instruments of one asset type have in common: how they are ordered, in which steps, how far from the price. */
type OrderTypeSettings = NonNullable<Details['SupportedOrderTypeSettings']>
type OrderType = OrderTypeSettings[number]['OrderType']
type Durations = OrderTypeSettings[number]['DurationTypes']

const day: Durations = ['DayOrder']
const immediate: Durations = ['DayOrder', 'FillOrKill', 'ImmediateOrCancel']
const resting: Durations = ['DayOrder', 'GoodTillCancel', 'GoodTillDate']
const auction: Durations = ['AtTheClose', 'AtTheOpening', 'DayOrder']

function orders(durations: Partial<Record<OrderType, Durations>>): Details {
  const settings = Object.entries(durations) as [OrderType, Durations][]
  return {
    SupportedOrderTypes: settings.map(([OrderType]) => OrderType),
    SupportedOrderTypeSettings: settings.map(([OrderType, DurationTypes]) => ({ OrderType, DurationTypes })),
  }
}

const exchangeOrders = orders({
  Algorithmic: day,
  Limit: [...resting, 'FillOrKill', 'ImmediateOrCancel'],
  Market: auction,
  StopIfTraded: resting,
  StopLimit: resting,
  TrailingStopIfTraded: resting,
})
const cfdOrders = orders({
  Limit: resting,
  Market: day,
  StopIfTraded: resting,
  StopLimit: resting,
  TrailingStopIfTraded: resting,
})
const indexCfdOrders = orders({
  GuaranteedStop: resting,
  Limit: resting,
  Market: immediate,
  Stop: resting,
  StopLimit: resting,
  TrailingStop: resting,
})
const fxOrders = orders({
  Limit: resting,
  Market: immediate,
  Stop: resting,
  StopLimit: resting,
  TrailingStop: resting,
})
const quoteOrders = orders({ Limit: resting, Market: immediate })
const srdOrders = orders({ Limit: resting, Market: day, StopIfTraded: resting, StopLimit: resting })

function distances(percent: number, unit: 'Percentage' | 'Pips', stop: number): Details {
  return {
    OrderDistances: {
      EntryDefaultDistance: percent,
      EntryDefaultDistanceType: 'Percentage',
      LimitDefaultDistance: 0,
      LimitDefaultDistanceType: 'Percentage',
      StopLimitDefaultDistance: 5,
      StopLimitDefaultDistanceType: 'Pips',
      StopLossDefaultDistance: stop,
      StopLossDefaultDistanceType: unit,
      StopLossDefaultEnabled: false,
      StopLossDefaultOrderType: unit === 'Pips' ? 'Stop' : 'StopIfTraded',
      TakeProfitDefaultDistance: stop,
      TakeProfitDefaultDistanceType: unit,
      TakeProfitDefaultEnabled: false,
    },
  }
}

export const stockTerms: Details = { IsComplex: false, ...exchangeOrders, ...distances(0.5, 'Percentage', 1) }
export const stockCfdTerms: Details = {
  IsComplex: true,
  DefaultSlippage: 0.5,
  DefaultSlippageType: 'Percentage',
  SettlementStyle: 'CashDelivery',
  ...cfdOrders,
  ...distances(0.5, 'Percentage', 1),
}
/** Deferred settlement at the end of the month (Service de Règlement Différé, Paris): bought on credit. */
export const srdTerms: Details = { IsComplex: true, ...srdOrders, ...distances(0.5, 'Percentage', 1) }

export const indexCfdTerms: Details = {
  AmountDecimals: 1,
  DefaultAmount: 1,
  DefaultSlippage: 0.1,
  DefaultSlippageType: 'Percentage',
  DisplayHint: 'StockIndices',
  IncrementSize: 0.1,
  IsComplex: true,
  LotSizeType: 'NotUsed',
  MinimumTradeSize: 0.1,
  PriceToContractFactor: 1,
  SettlementStyle: 'CashDelivery',
  StandardAmounts: [1, 2, 5, 10, 25, 50, 100],
  ...indexCfdOrders,
  ...distances(0.25, 'Percentage', 0.5),
}

const fxAmounts = [10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000]
const fxSlippage: Details = { DefaultSlippage: 0.01, DefaultSlippageType: 'Percentage' }

/** Of a currency pair, whatever it is traded as. */
export const fxTerms: Details = {
  AmountDecimals: 2,
  DefaultAmount: 100_000,
  IncrementSize: 5000,
  LotSizeType: 'NotUsed',
  MinimumTradeSize: 1000,
  StandardAmounts: fxAmounts,
  ...distances(0.5, 'Pips', 50),
}
export const fxSpotTerms: Details = { IsComplex: true, ...fxSlippage, ...fxOrders }
export const fxForwardTerms: Details = {
  IsComplex: true,
  SettlementStyle: 'PhysicalDelivery',
  ...fxSlippage,
  ...fxOrders,
}
export const fxSwapTerms: Details = { IsComplex: true, SettlementStyle: 'PhysicalDelivery', ...quoteOrders }
export const fxOptionTerms: Details = {
  ExerciseStyle: 'European',
  IncrementSize: 10_000,
  IsComplex: true,
  MinimumTradeSize: 10_000,
  StandardAmounts: fxAmounts.slice(2),
  ...quoteOrders,
}
/** Metals trade in troy ounces. */
export const metalTerms: Details = {
  AmountDecimals: 2,
  DisplayHint: 'PreciousMetal',
  LotSizeType: 'NotUsed',
  ...distances(0.5, 'Percentage', 1),
}
export const cryptoTerms: Details = {
  AmountDecimals: 4,
  DisplayHint: 'CryptoCurrencies',
  IsComplex: true,
  LotSizeType: 'NotUsed',
  DefaultSlippage: 1,
  DefaultSlippageType: 'Percentage',
  SettlementStyle: 'CashDelivery',
  ...fxOrders,
  ...distances(1, 'Percentage', 3),
}

/** Quoted in percent of the nominal, dealt by request for quote. */
export const bondTerms: Details = {
  AmountDecimals: 0,
  Format: { Decimals: 3, Format: 'Percentage', OrderDecimals: 3 },
  IsComplex: false,
  LotSizeType: 'NotUsed',
  TickSize: 0.001,
  ...orders({ Limit: day, Market: day }),
  ...distances(0.5, 'Percentage', 1),
}

/** Subscribed by an amount of money at the next net asset value. */
export const mutualFundTerms: Details = {
  AmountDecimals: 4,
  DefaultAmount: 1000,
  DisplayHint: 'Fund',
  IncrementSize: 1,
  IsComplex: false,
  IsRedemptionByAmounts: true,
  LotSizeType: 'NotUsed',
  MinimumOrderValue: 100,
  StandardAmounts: [100, 500, 1000, 5000, 10_000, 50_000],
  ...orders({ Market: day }),
}

export const warrantTerms: Details = {
  DisplayHint: 'Warrant',
  IsComplex: true,
  ...orders({ Limit: resting, Market: day }),
  ...distances(0.5, 'Percentage', 5),
}
/** Subscription rights can be sold, and bought to complete a multiple, until trading in them ends. */
export const rightsTerms: Details = {
  DisplayHint: 'Rights',
  IsComplex: true,
  ...orders({ Limit: day, Market: day }),
  ...distances(0.5, 'Percentage', 5),
}
