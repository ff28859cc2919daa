import type { Details } from '../../instruments/import/schema.ts'

export type TickSizeScheme = NonNullable<Details['TickSizeScheme']>

/** [up to this price, tick] in rising order, then the tick above. */
function scheme(steps: (readonly [number, number])[], above: number): TickSizeScheme {
  return { DefaultTickSize: above, Elements: steps.map(([HighPrice, TickSize]) => ({ HighPrice, TickSize })) }
}

/** 0.0001, 0.0002, 0.0005, 0.001 and so on to 50,000. */
const ladder = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)))

/**
 * Commission Delegated Regulation (EU) 2017/588: the tick of the most liquid band is a ten-thousandth of the price
 * range's upper end, that of every band below it one step of 1-2-5 more, none under 0.0001.
 */
function mifidTicks(bandsBelowBest: number): TickSizeScheme {
  const tick = (step: number): number => ladder[Math.max(0, step - 12 + bandsBelowBest)] ?? 0
  const ranges = ladder.flatMap((bound, step) => (bound < 0.1 ? [] : [[bound, tick(step)] as const]))
  return scheme(ranges, tick(ladder.length))
}

export const mifidTicksOfLiquid = mifidTicks(0)
export const mifidTicksOfLessLiquid = mifidTicks(1)

/** Regulation NMS Rule 612: a cent from one dollar on. */
export const usTicks = scheme([[1, 0.0001]], 0.01)
export const torontoTicks = scheme([[0.5, 0.005]], 0.01)
export const centTicks: TickSizeScheme = { DefaultTickSize: 0.01 }
export const johannesburgTicks: TickSizeScheme = { DefaultTickSize: 1 }
const sydneySteps = [[0.1, 0.001] as const, [2, 0.005] as const]
export const sydneyTicks = scheme(sydneySteps, 0.01)
const singaporeSteps = [[0.2, 0.001] as const, [1, 0.005] as const]
export const singaporeTicks = scheme(singaporeSteps, 0.01)

/** The Tokyo Stock Exchange's table for the constituents of TOPIX 500. */
export const tokyoTicks = scheme(
  [
    [1000, 0.1],
    [3000, 0.5],
    [10_000, 1],
    [30_000, 5],
    [100_000, 10],
    [300_000, 50],
    [1_000_000, 100],
  ],
  500,
)

/** The Exchange's spread table, part A of the second schedule of its rules. */
export const hongKongTicks = scheme(
  [
    [0.25, 0.001],
    [0.5, 0.005],
    [20, 0.01],
    [50, 0.02],
    [100, 0.05],
    [200, 0.1],
    [500, 0.2],
    [1000, 0.5],
    [2000, 1],
    [5000, 2],
  ],
  5,
)

/** The tick at a price. A price on a bound belongs to the range above it. */
export function tickAt(ticks: TickSizeScheme, price: number): number {
  return ticks.Elements?.find(({ HighPrice }) => price < HighPrice)?.TickSize ?? ticks.DefaultTickSize
}
