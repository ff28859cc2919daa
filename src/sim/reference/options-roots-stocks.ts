import { leaps, type Schedule } from './options-expiries.ts'
import { eurexShareHours, frankfurt, newYork, type RootSpec, wallStreetLongHours } from './options-roots.ts'
import { equityUnit } from './options-strikes.ts'
import { allPennyTicks, evenTicks, nickelTicks, pennyTicks } from './options-terms.ts'

type More = Partial<RootSpec>

/** The largest names have every quarter's month besides. */
const large: Schedule = { weeks: 6, months: 3, cycle: { start: 3, count: 4 }, yearly: leaps }
const inCycle = (start: 1 | 2 | 3): Schedule => ({ weeks: 5, months: 2, cycle: { start, count: 2 }, yearly: leaps })
const indexFund: Schedule = { ...large, days: 11, weeks: 8, months: 4, quarterEnds: 4 }
/** Eurex and Euronext: three months, the quarters after, and Decembers. */
const european: Schedule = { months: 3, cycle: { start: 3, count: 3 }, yearly: { month: 12, monthsAhead: 36 } }

const share = {
  assetType: 'StockOption',
  style: 'American',
  settlement: 'PhysicalDelivery',
  contractSize: 100,
  strikeUnit: equityUnit,
  reach: { around: 8, wings: 4 },
} as const

function american(id: number, symbol: string, expiries: Schedule, more: More = {}): RootSpec {
  const code = symbol.slice(0, symbol.indexOf(':'))
  const stops = { at: '16:00', in: newYork }
  return { ...share, id, code, exchangeId: 'CBOE', underlying: symbol, expiries, ticks: pennyTicks, stops, ...more }
}

function fund(id: number, symbol: string): RootSpec {
  const wide = { steps: [2, 10, 20], reach: { around: 15, wings: 6 } } as const
  return american(id, symbol, indexFund, {
    ticks: allPennyTicks,
    stops: { at: '16:15', in: newYork },
    hours: wallStreetLongHours,
    ...wide,
  })
}

function continental(id: number, code: string, underlying: string, more: More = {}): RootSpec {
  const eurex = { exchangeId: 'EUREX', ticks: evenTicks(0.01), stops: { at: '17:30', in: frankfurt } }
  return { ...share, ...eurex, id, code, underlying, expiries: european, hours: eurexShareHours, ...more }
}

/** Ids 1 to 39. */
export const stockOptionRoots: RootSpec[] = [
  american(1, 'AAPL:xnas', { ...large, expired: true }),
  american(2, 'MSFT:xnas', large),
  american(3, 'NVDA:xnas', large),
  american(4, 'AMZN:xnas', large),
  american(5, 'GOOGL:xnas', large),
  american(6, 'META:xnas', large),
  american(7, 'TSLA:xnas', large, { restrictedWings: true }),
  american(8, 'JPM:xnys', inCycle(3)),
  american(9, 'XOM:xnys', inCycle(1)),
  american(10, 'KO:xnys', inCycle(2)),
  american(11, 'NFLX:xnas', large),
  american(12, 'AMD:xnas', large),
  american(13, 'BAC:xnys', inCycle(2)),
  american(14, 'DIS:xnys', inCycle(1)),
  american(15, 'BA:xnys', inCycle(2)),
  american(16, 'INTC:xnas', inCycle(1)),
  american(17, 'GE:xnys', inCycle(3)),
  american(18, 'PFE:xnys', inCycle(3)),
  american(19, 'IBM:xnys', inCycle(1)),
  american(20, 'WMT:xnas', inCycle(3)),
  american(21, 'BLK:xnys', { ...inCycle(1), weeks: 0 }, { ticks: nickelTicks, restrictedWings: true }),
  fund(22, 'SPY:arcx'),
  fund(23, 'QQQ:xnas'),
  fund(24, 'IWM:arcx'),
  american(25, 'GLD:arcx', large),
  // After a reverse split of 1 for 8 a contract delivers 12 shares (and cash for the half), at the strikes of before.
  american(
    26,
    'GE:xnys',
    { months: 2, yearly: { ...leaps, monthsAhead: 15 } },
    {
      code: 'GE1',
      name: 'GE Aerospace (adjusted)',
      contractSize: 12,
      pointValue: 100,
      ticks: nickelTicks,
      group: 17,
      singleLegOnly: true,
      adjusted: true,
    },
  ),
  continental(30, 'SAP', 'SAP:xetr'),
  continental(31, 'SIE', 'SIE:xetr'),
  continental(32, 'ALV', 'ALV:xetr'),
  continental(33, 'BAS', 'BAS:xetr', { restrictedWings: true }),
  continental(34, 'ASM', 'ASML:xams'),
  continental(35, 'AS', 'ASML:xams', { exchangeId: 'AMS', ticks: evenTicks(0.05), singleLegOnly: true, group: 34 }),
]
