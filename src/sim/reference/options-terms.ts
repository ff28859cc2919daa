import type { Details } from '../../instruments/import/schema.ts'
import { derivativeTerms } from './futures-terms.ts'

export const optionTerms = {
  ...derivativeTerms,
  SupportedOrderTypes: ['Limit', 'Market', 'StopLimit'],
  SupportedOrderTypeSettings: derivativeTerms.SupportedOrderTypeSettings.filter(
    ({ OrderType }) => OrderType === 'Limit' || OrderType === 'Market' || OrderType === 'StopLimit',
  ),
} satisfies Details

export const strategies = [
  'BackRatio',
  'Butterfly',
  'CalendarSpread',
  'Combo',
  'Condor',
  'Custom',
  'Diagonal',
  'IronButterfly',
  'IronCondor',
  'RiskReversal',
  'Straddle',
  'Strangle',
  'Synthetic',
  'Vertical',
] satisfies Details['SupportedStrategies']

type Ticks = Pick<Details, 'TickSize' | 'TickSizeScheme'>

/** One tick up to a price, another above. */
const ticks = (TickSize: number, HighPrice: number, above: number): Ticks => ({
  TickSize,
  TickSizeScheme: { DefaultTickSize: above, Elements: [{ HighPrice, TickSize }] },
})

/** Classes of the penny program; the classes of index funds, which are quoted in pennies throughout; all others. */
export const pennyTicks = ticks(0.01, 3, 0.05)
export const allPennyTicks: Ticks = { TickSize: 0.01 }
export const nickelTicks = ticks(0.05, 3, 0.1)
export const evenTicks = (TickSize: number): Ticks => ({ TickSize })
export const miniTicks = ticks(0.05, 10, 0.25)
