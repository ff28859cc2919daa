import { grainHours } from './exchanges.ts'
import { monthCodes } from './futures-months.ts'
import type { MonthRule } from './futures-rules.ts'
import {
  beforeCrudeOil,
  beforeCurrencyDelivery,
  beforeDeliveryNotice,
  beforeMetalMonth,
  beforeNaturalGas,
  type FuturesOptionRule,
  withEquityIndexFuture,
  withMonth,
} from './options-futures-rules.ts'
import { chicago, newYork, type RootSpec } from './options-roots.ts'
import type { Steps } from './options-strikes.ts'
import { evenTicks, miniTicks } from './options-terms.ts'

type FuturesRoot = Omit<RootSpec, 'assetType' | 'style' | 'settlement' | 'reach'> & Partial<RootSpec>

function onFuture(root: FuturesRoot): RootSpec {
  const usual = { style: 'American', settlement: 'PhysicalDelivery', reach: { around: 12, wings: 5 } } as const
  return { assetType: 'FuturesOption', ...usual, ...root }
}

const monthly = (lastTrade: MonthRule, listed: number): FuturesOptionRule => {
  return { lastTrade, optionMonths: monthCodes, listed }
}
const quarterly = (lastTrade: MonthRule, listed: number): FuturesOptionRule => {
  return { lastTrade, optionMonths: 'HMUZ', listed }
}
const strikes = (strikeUnit: number, ...steps: Steps) => ({ strikeUnit, steps })

const miniSp = { exchangeId: 'CME', underlying: 'ES:xcme', contractSize: 50, ticks: miniTicks, ...strikes(5, 1, 5, 20) }
const crude = { exchangeId: 'NYMEX', underlying: 'CL:xnym', contractSize: 1000, ...strikes(0.5, 1, 2, 5) }
const gas = { exchangeId: 'NYMEX', underlying: 'NG:xnym', contractSize: 10_000, ...strikes(0.05, 1, 2, 5) }
const gold = { exchangeId: 'COMEX', underlying: 'GC:xcec', contractSize: 100, ...strikes(5, 2, 5, 10) }
const silver = { exchangeId: 'COMEX', underlying: 'SI:xcec', contractSize: 5000, ...strikes(0.25, 1, 2, 4) }
const note = { exchangeId: 'CBOT', underlying: 'ZN:xcbt', contractSize: 100_000, ...strikes(0.25, 1, 2, 4) }
const corn = {
  exchangeId: 'CBOT',
  underlying: 'ZC:xcbt',
  contractSize: 5000,
  hours: grainHours,
  ...strikes(5, 1, 2, 4),
}
const euro = { exchangeId: 'CME', underlying: '6E:xcme', contractSize: 125_000, ...strikes(0.005, 1, 2, 4) }

const at = (time: string, timeZone: string) => ({ stops: { at: time, in: timeZone } })

/** Ids 60 to 79. */
export const futuresOptionRoots: RootSpec[] = [
  onFuture({
    ...miniSp,
    ...at('08:30', chicago),
    id: 60,
    code: 'ES.O',
    expiries: quarterly(withEquityIndexFuture, 6),
    group: 60,
  }),
  onFuture({
    ...miniSp,
    ...at('15:00', chicago),
    id: 61,
    code: 'EW',
    name: 'E-mini S&P 500 End of Month',
    expiries: monthly(withMonth, 6),
    style: 'European',
    group: 60,
  }),
  onFuture({
    ...crude,
    ...at('14:30', newYork),
    id: 62,
    code: 'LO',
    expiries: monthly(beforeCrudeOil, 14),
    ticks: evenTicks(0.01),
    restrictedWings: true,
  }),
  onFuture({
    ...gas,
    ...at('14:30', newYork),
    id: 63,
    code: 'ON',
    expiries: monthly(beforeNaturalGas, 12),
    ticks: evenTicks(0.001),
  }),
  onFuture({
    ...gold,
    ...at('13:30', newYork),
    id: 64,
    code: 'OG',
    expiries: monthly(beforeMetalMonth, 10),
    ticks: evenTicks(0.1),
  }),
  onFuture({
    ...silver,
    ...at('13:25', newYork),
    id: 65,
    code: 'SO',
    expiries: monthly(beforeMetalMonth, 8),
    ticks: evenTicks(0.001),
  }),
  onFuture({
    ...note,
    ...at('16:00', chicago),
    id: 66,
    code: 'OZN',
    expiries: monthly(beforeDeliveryNotice, 5),
    pointValue: 1000,
    ticks: evenTicks(0.015625),
  }),
  onFuture({
    ...corn,
    ...at('13:20', chicago),
    id: 67,
    code: 'OZC',
    expiries: monthly(beforeDeliveryNotice, 6),
    pointValue: 50,
    ticks: evenTicks(0.125),
    singleLegOnly: true,
  }),
  onFuture({
    ...euro,
    ...at('09:00', chicago),
    id: 68,
    code: 'EUU',
    expiries: monthly(beforeCurrencyDelivery, 5),
    ticks: evenTicks(0.00005),
    singleLegOnly: true,
  }),
]
