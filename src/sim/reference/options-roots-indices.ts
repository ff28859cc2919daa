import { leaps, type Schedule, volatilityExpiry } from './options-expiries.ts'
import { eurexIndexHours, frankfurt, newYork, type RootSpec, wallStreetLongHours } from './options-roots.ts'
import { allPennyTicks, evenTicks, nickelTicks } from './options-terms.ts'

type Given = 'id' | 'code' | 'underlying' | 'expiries' | 'strikeUnit' | 'steps' | 'reach'
type IndexRoot = Pick<RootSpec, Given> & Partial<RootSpec>

const cash = { assetType: 'StockIndexOption', style: 'European', settlement: 'CashDelivery' } as const

/** The third Fridays that are settled by the opening prices: traded until the afternoon before. */
const openings: Schedule = { months: 6, cycle: { start: 3, count: 4 }, yearly: { month: 12, monthsAhead: 36 } }
/** All days, settled by the closing prices. */
const closings: Schedule = { days: 14, weeks: 8, months: 3, quarterEnds: 4, yearly: leaps }
const european: Schedule = { months: 3, cycle: { start: 3, count: 3 }, yearly: { month: 12, monthsAhead: 36 } }

function atOpening(root: IndexRoot): RootSpec {
  const stops = { at: '16:15', in: newYork }
  return {
    ...cash,
    exchangeId: 'CBOE',
    contractSize: 100,
    ticks: nickelTicks,
    settledAtOpening: true,
    hours: wallStreetLongHours,
    stops,
    ...root,
  }
}

function atClosing(root: IndexRoot): RootSpec {
  const stops = { at: '16:00', in: newYork }
  return {
    ...cash,
    exchangeId: 'CBOE',
    contractSize: 100,
    ticks: nickelTicks,
    hours: wallStreetLongHours,
    stops,
    ...root,
  }
}

function eurex(root: IndexRoot & Pick<RootSpec, 'contractSize' | 'stops'>): RootSpec {
  return { ...cash, exchangeId: 'EUREX', hours: eurexIndexHours, ticks: evenTicks(0.1), ...root }
}

const spx = { underlying: 'SPX.I', strikeUnit: 5, steps: [1, 5, 20], reach: { around: 20, wings: 10 } } as const
const ndx = { underlying: 'NDX.I', strikeUnit: 25, steps: [2, 4, 20], reach: { around: 12, wings: 6 } } as const
const rut = { underlying: 'RUT.I', strikeUnit: 5, steps: [1, 2, 10], reach: { around: 12, wings: 6 } } as const
const vix = { underlying: 'VIX.I', strikeUnit: 0.5, steps: [2, 5, 10], reach: { around: 8, wings: 8 } } as const
const wide = { around: 12, wings: 6 }

/** Ids 40 to 59. */
export const indexOptionRoots: RootSpec[] = [
  atOpening({ ...spx, id: 40, code: 'SPX', expiries: openings, group: 40 }),
  atClosing({
    ...spx,
    id: 41,
    code: 'SPXW',
    name: 'S&P 500 Weeklys',
    expiries: { ...closings, expired: true },
    group: 40,
  }),
  atOpening({ ...ndx, id: 42, code: 'NDX', expiries: openings, group: 42 }),
  atClosing({
    ...ndx,
    id: 43,
    code: 'NDXP',
    name: 'Nasdaq-100 Weeklys',
    expiries: { ...closings, days: 7 },
    group: 42,
  }),
  atOpening({ ...rut, id: 44, code: 'RUT', expiries: openings, group: 44 }),
  atClosing({
    ...rut,
    id: 45,
    code: 'RUTW',
    name: 'Russell 2000 Weeklys',
    expiries: { ...closings, days: 7 },
    group: 44,
  }),
  atOpening({
    ...vix,
    id: 46,
    code: 'VIX',
    expiries: { months: 8, monthly: volatilityExpiry },
    ticks: allPennyTicks,
    restrictedWings: true,
  }),
  eurex({
    id: 47,
    code: 'ODAX',
    underlying: 'DAX.I',
    expiries: european,
    contractSize: 5,
    strikeUnit: 25,
    steps: [2, 4, 8],
    reach: wide,
    stops: { at: '13:00', in: frankfurt },
  }),
  eurex({
    id: 48,
    code: 'OESX',
    underlying: 'SX5E.I',
    expiries: european,
    contractSize: 10,
    strikeUnit: 25,
    steps: [1, 2, 4],
    reach: wide,
    stops: { at: '12:00', in: frankfurt },
  }),
]
