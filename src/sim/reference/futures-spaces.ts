import type { Hours } from '../../instruments/import/schema.ts'
import { grainHours } from './exchanges.ts'
import type { DeliveryRule } from './futures-rules.ts'
import { bund, crudeOil, currency, equityIndex, grain, metal, naturalGas, treasury } from './futures-rules.ts'

/**
 * What an exchange says of a product, and how many of its delivery months the demo lists: two years at most, as far
 * ahead as holidays are known.
 */
export type FuturesSpace = {
  code: string
  name: string
  exchangeId: string
  currencyCode: string
  /** The letters of the delivery months that are listed. */
  cycle: string
  listed: number
  rule: DeliveryRule
  /** Units of the underlying. */
  contractSize: number
  /** What one point of the price is worth; as many as there are units, unless told. */
  pointValue?: number
  tickSize: number
  /** Quoted in halves of halves, as U.S. Treasuries are. */
  fractions?: true
  price: number
  /** What the price gains with each year to delivery, as a part of it. */
  carry: number
  /** Symbol of the instrument that the future is settled by. */
  underlying?: string
  /** Units of one contract for difference on the near futures. */
  cfdSize?: number
  hours?: Hours
}

const everyMonth = 'FGHJKMNQUVXZ'
const quarterly = 'HMUZ'

const onCme = { exchangeId: 'CME', currencyCode: 'USD' }
const onCbot = { exchangeId: 'CBOT', currencyCode: 'USD' }
const onEurex = { exchangeId: 'EUREX', currencyCode: 'EUR' }
const crude = { exchangeId: 'NYMEX', currencyCode: 'USD', cycle: everyMonth, listed: 24, rule: crudeOil, carry: 0.005 }
const gas = { ...crude, rule: naturalGas, carry: 0.01 }
const metals = { exchangeId: 'COMEX', currencyCode: 'USD', cycle: 'HKNUZ', listed: 10, rule: metal, carry: 0.04 }
const fx = { ...onCme, cycle: quarterly, listed: 8, rule: currency }
const index = { cycle: quarterly, rule: equityIndex, carry: 0.03 }
const bonds = { cycle: quarterly, listed: 3, contractSize: 100_000, pointValue: 1000, carry: -0.01 }
const treasuries = { ...onCbot, ...bonds, rule: treasury, fractions: true as const }
/** Cents for a bushel. */
const grains = {
  cycle: 'HKNUZ',
  listed: 10,
  rule: grain,
  contractSize: 5000,
  pointValue: 50,
  tickSize: 0.25,
  carry: 0.03,
}
const onFloor = { ...onCbot, ...grains, hours: grainHours }

type Figures = Pick<FuturesSpace, 'contractSize' | 'tickSize' | 'price'>
const figures = (contractSize: number, tickSize: number, price: number): Figures => ({ contractSize, tickSize, price })

/** Grown at the end only: a space's place in this list is in its Uics. */
export const futuresSpaces: FuturesSpace[] = [
  {
    ...onCme,
    ...index,
    ...figures(50, 0.25, 6751),
    code: 'ES',
    name: 'E-mini S&P 500',
    listed: 8,
    underlying: 'SPX.I',
  },
  {
    ...onCme,
    ...index,
    ...figures(20, 0.25, 25_163),
    code: 'NQ',
    name: 'E-mini Nasdaq-100',
    listed: 8,
    underlying: 'NDX.I',
  },
  {
    ...onCbot,
    ...index,
    ...figures(5, 1, 47_095),
    code: 'YM',
    name: 'E-mini Dow ($5)',
    listed: 5,
    underlying: 'DJI.I',
  },
  {
    ...onCme,
    ...index,
    ...figures(50, 0.1, 2440),
    code: 'RTY',
    name: 'E-mini Russell 2000',
    listed: 5,
    underlying: 'RUT.I',
  },
  { ...crude, ...figures(1000, 0.01, 59.9), code: 'CL', name: 'Crude Oil WTI', cfdSize: 25 },
  { ...gas, ...figures(10_000, 0.001, 4.32), code: 'NG', name: 'Henry Hub Natural Gas', cfdSize: 1000 },
  {
    ...metals,
    ...figures(100, 0.1, 4010),
    code: 'GC',
    name: 'Gold',
    cycle: 'GJMQVZ',
    underlying: 'XAUUSD',
    cfdSize: 1,
  },
  { ...metals, ...figures(5000, 0.005, 48.2), code: 'SI', name: 'Silver', underlying: 'XAGUSD', cfdSize: 10 },
  { ...metals, ...figures(25_000, 0.0005, 4.96), code: 'HG', name: 'Copper' },
  { ...onFloor, code: 'ZC', name: 'Corn', price: 427.25 },
  { ...onFloor, code: 'ZW', name: 'Chicago SRW Wheat', price: 527.75 },
  { ...onFloor, code: 'ZS', name: 'Soybeans', cycle: 'FHKNQUX', price: 1117 },
  { ...treasuries, code: 'ZN', name: '10-Year U.S. Treasury Note', tickSize: 0.015625, price: 112.75 },
  { ...treasuries, code: 'ZB', name: 'U.S. Treasury Bond', tickSize: 0.03125, price: 117.25 },
  { ...fx, ...figures(125_000, 0.00005, 1.159), code: '6E', name: 'Euro FX', carry: 0.018, underlying: 'EURUSD' },
  { ...fx, ...figures(12_500_000, 0.0000005, 0.00654), code: '6J', name: 'Japanese Yen', carry: 0.032 },
  { ...onEurex, ...index, ...figures(25, 1, 23_642), code: 'FDAX', name: 'DAX', listed: 3, underlying: 'DAX.I' },
  {
    ...onEurex,
    ...index,
    ...figures(10, 1, 5578),
    code: 'FESX',
    name: 'EURO STOXX 50',
    listed: 3,
    underlying: 'SX5E.I',
  },
  { ...onEurex, ...bonds, rule: bund, code: 'FGBL', name: 'Euro-Bund', tickSize: 0.01, price: 129.1 },
]
