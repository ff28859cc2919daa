import type { PositionRecord } from '../../events/import/schema.ts'
import { type AccountName, accountKey } from './accounts.ts'
import type { AssetType, Desk } from './issue.ts'

type Held = Partial<Record<AccountName, number>>

/** Held since ever, as what it mainly is. */
const held: Record<string, Held> = {
  'AAPL:xnas': { family: 400, dollars: 150, bo: 20, cy: 300 },
  'NVDA:xnas': { dollars: 1200, cy: 500 },
  'KO:xnys': { dee: 800 },
  'JNJ:xnys': { dollars: 90, cy: 60 },
  'PG:xnys': { family: 120 },
  'F:xnys': { cy: 2000, dollars: 700 },
  'V:xnys': { family: 75 },
  'T:xnys': { dollars: 900, cy: 400 },
  'IBM:xnys': { dollars: 55 },
  'INTC:xnas': { dollars: 600, cy: 850 },
  'RY:xtse': { treasury: 140 },
  'NESN:xswx': { family: 320, dee: 150 },
  'NOVN:xswx': { family: 210 },
  'ALV:xetr': { family: 45, dee: 60 },
  'SAP:xetr': { family: 110 },
  'MC:xpar': { family: 12, cy: 30 },
  'TTE:xpar': { family: 500, dee: 300 },
  'OR:xpar': { family: 18 },
  'ULVR:xlon': { treasury: 400, bo: 50 },
  'HSBA:xlon': { treasury: 3000 },
  'LLOY:xlon': { treasury: 25_000 },
  'VOD:xlon': { treasury: 8000 },
  'NOVO-B:xcse': { family: 300, bo: 120, dee: 200 },
  'MAERSK-B:xcse': { family: 4, bo: 1 },
  '7203:xtks': { cyYen: 1000, dollars: 100 },
  '6758:xtks': { cyYen: 500 },
  '00700:xhkg': { dollars: 300, cy: 200 },
  'D05:xses': { dollars: 400 },
  'SPY:arcx': { dollars: 40, cy: 25 },
  'SCHD:arcx': { dollars: 500, dee: 400 },
  'VWRL:xams': { family: 220, dee: 900 },
  LU0820561818: { family: 1500.25 },
  'PDI:xnys': { dollars: 350 },
  'URW:xpar': { family: 80 },
  'BHP:xasx': { dollars: 700, cy: 400 },
  'MQG:xasx': { dollars: 60 },
  US9229087286: { dollars: 310.417 },
  GB00B41YBW71: { treasury: 4200.5 },
  'VNQ:arcx': { dollars: 130 },
  'NN:xams': { family: 1000, treasury: 250, dee: 420 },
  'ACA:xpar': { family: 640, cy: 500 },
  'IBE:xmad': { family: 900 },
  'NAB:xasx': { dollars: 500, cy: 1200 },
  'NG:xlon': { treasury: 1500, bo: 100 },
  'ACS:xmad': { family: 312 },
  'ORSTED:xcse': { family: 420, bo: 50 },
  'EZJ:xlon': { treasury: 1000 },
  'ALO:xpar': { family: 1000 },
  'LHA:xetr': { bo: 200 },
  'HTZWW:xnas': { dollars: 4000 },
  'BKNG:xnas': { dollars: 6, cy: 2 },
  '7974:xtks': { cyYen: 300, dollars: 200 },
  'NFLX:xnas': { dollars: 100 },
  'TIT:xmil': { family: 12_500 },
  'AI:xpar': { family: 165 },
  'ITUB4:bvmf': { dollars: 2000 },
  '9983:xtks': { cyYen: 100 },
  'STO:xasx': { dollars: 1800 },
  'EVN:xasx': { dollars: 1000, cy: 2500 },
  'HON:xnas': { dollars: 85, cy: 40 },
  'CON:xetr': { family: 130 },
  'AAL:xlon': { bo: 30 },
  'AGN:xams': { family: 2600 },
  '03333:xhkg': { dollars: 10_000 },
  'BAVA:xcse': { family: 120, bo: 90 },
  'EBAY:xnas': { dollars: 450, cy: 80 },
  'SMT:xlon': { dee: 1200 },
  'ADX:xnys': { dollars: 260 },
  'SLM:xjse': { treasury: 64 },
  'UBI:xpar': { cy: 300, family: 150 },
  'CBK:xetr': { family: 300 },
  'UST-4.75-2053-11': { dollars: 100_000, dee: 250_000 },
  'UKT-4.25-2055-12': { treasury: 50_000 },
  'DBR-2.5-2046-08': { dee: 100_000 },
  'AAPL-4.65-2046-02': { dollars: 30_000 },
  'DGB-4.5-2039-11': { dee: 500_000 },
  'GS-6.75-2037-10': { dollars: 25_000, dee: 40_000 },
  'WMT-6.5-2037-08': { dollars: 15_000 },
  'PETBRA-6.85-2115-06': { dollars: 10_000 },
  'PFE-7.2-2039-03': { dollars: 45_000 },
  'ABIBB-4.9-2046-02': { dollars: 80_000, dee: 30_000 },
  'MEX-5.75-2110-10': { family: 30_000 },
  'RIO:xlon': { treasury: 350 },
  'DANSKE:xcse': { bo: 75, dee: 400 },
  'AKZA:xams': { family: 95 },
  'SHEL-6.375-2038-12': { treasury: 20_000 },
  'ROG:xswx': { family: 60 },
  'SAN:xpar': { dee: 500 },
  'BA:xnys': { dollars: 40, cy: 70 },
  'TSLA:xnas': { dollars: 30 },
}

/** [symbol, as what, account, amount, held from so many trading days ago; since ever without]. What is owed is below 0. */
type LaterRow = readonly [string, AssetType, AccountName, number, number?]

const later: LaterRow[] = [
  // Bought and sold in parts, before and after the dividends.
  ['MSFT:xnas', 'Stock', 'dollars', 100],
  ['MSFT:xnas', 'Stock', 'dollars', 150, -200],
  ['MSFT:xnas', 'Stock', 'dollars', 120, -30],
  ['JNJ:xnys', 'Stock', 'dollars', 140, -3],
  // Sold after the record date: the dividend is still theirs.
  ['HSBA:xlon', 'Stock', 'family', 500, -400],
  ['HSBA:xlon', 'Stock', 'family', 0, -1],
  // Sold long ago: no event of today concerns it.
  ['SAP:xetr', 'Stock', 'treasury', 40, -300],
  ['SAP:xetr', 'Stock', 'treasury', 0, -210],
  // Bought after the record date: the account is told, with nothing that counts.
  ['TTE:xpar', 'Stock', 'treasury', 60, -1],
  ['NVDA:xnas', 'Stock', 'family', 35, -2],
  // The rights came with the shares.
  ['ACS.D:xmad', 'Rights', 'family', 312, -2],
  // Contracts for difference on what others own, one of them short.
  ['AAPL:xnas', 'CfdOnStock', 'dollars', 500, -12],
  ['AAPL:xnas', 'CfdOnStock', 'cy', -200, -25],
  ['BKNG:xnas', 'CfdOnStock', 'cy', 4, -6],
  ['BKNG:xnas', 'CfdOnStock', 'dollars', -2, -15],
  ['TSLA:xnas', 'CfdOnStock', 'cy', 80, -40],
  ['TSLA:xnas', 'CfdOnStock', 'cy', 110, -5],
]

export function demoPositions(desk: Desk): PositionRecord[] {
  const always = Object.entries(held).flatMap(([symbol, amounts]) => {
    const { Uic, assetType: AssetType } = desk(symbol)
    return Object.entries(amounts).map(([account, Amount]) => ({
      AccountKey: accountKey(account as AccountName),
      Uic,
      AssetType,
      Amount,
    }))
  })
  const since = later.map(([symbol, AssetType, account, Amount, from]) => {
    const issue = desk(symbol)
    const From = from === undefined ? {} : { From: issue.day(from) }
    return { AccountKey: accountKey(account), Uic: issue.Uic, AssetType, ...From, Amount }
  })
  return [...always, ...since]
}
