import type { Details } from '../../instruments/import/schema.ts'

type OrderTypeSettings = NonNullable<Details['SupportedOrderTypeSettings']>
type Durations = OrderTypeSettings[number]['DurationTypes']

const day: Durations = ['DayOrder']
const resting: Durations = ['DayOrder', 'GoodTillCancel', 'GoodTillDate']

/** How derivatives of an exchange are ordered, options as well. */
const orderTypes: OrderTypeSettings = [
  { OrderType: 'Limit', DurationTypes: [...resting, 'FillOrKill', 'ImmediateOrCancel'] },
  { OrderType: 'Market', DurationTypes: day },
  { OrderType: 'StopIfTraded', DurationTypes: resting },
  { OrderType: 'StopLimit', DurationTypes: resting },
  { OrderType: 'TrailingStopIfTraded', DurationTypes: resting },
]

export const derivativeTerms = {
  AmountDecimals: 0,
  DefaultAmount: 1,
  IncrementSize: 1,
  IsComplex: true,
  LotSize: 1,
  LotSizeType: 'OddLotsNotAllowed',
  MinimumLotSize: 1,
  MinimumTradeSize: 1,
  StandardAmounts: [1, 2, 3, 4, 5, 10, 20, 50, 100],
  SupportedOrderTypes: orderTypes.map((setting) => setting.OrderType),
  SupportedOrderTypeSettings: orderTypes,
} satisfies Details

export const futuresTerms = {
  ...derivativeTerms,
  DefaultSlippage: 5,
  DefaultSlippageType: 'Ticks',
  OrderDistances: {
    EntryDefaultDistance: 0.25,
    EntryDefaultDistanceType: 'Percentage',
    LimitDefaultDistance: 0,
    LimitDefaultDistanceType: 'Percentage',
    StopLimitDefaultDistance: 5,
    StopLimitDefaultDistanceType: 'Pips',
    StopLossDefaultDistance: 0.5,
    StopLossDefaultDistanceType: 'Percentage',
    StopLossDefaultEnabled: false,
    StopLossDefaultOrderType: 'StopIfTraded',
    TakeProfitDefaultDistance: 0.5,
    TakeProfitDefaultDistanceType: 'Percentage',
    TakeProfitDefaultEnabled: false,
  },
} satisfies Details

/** How many decimals write a step exactly: 2 for 0.25, 7 for 0.0000005. */
export function decimalsOf(step: number): number {
  let decimals = 0
  while (Number(step.toFixed(decimals)) !== step) decimals++
  return decimals
}
