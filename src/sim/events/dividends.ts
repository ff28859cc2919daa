import type { EventRecord } from '../../events/import/schema.ts'
import { type Desk, type Issue, indicator, outcome, rounded, type State } from './issue.ts'

/** What is withheld from a holder abroad who has shown no papers, in percent; of no one else anything is. */
const withholding: Readonly<Record<string, number>> = {
  CA: 25,
  CH: 35,
  DE: 26.375,
  DK: 27,
  ES: 19,
  FR: 25,
  IT: 26,
  JP: 15.315,
  NL: 15,
  SE: 30,
  US: 30,
}

/** Announced so many trading days ago; without it the dividend is only expected, and so is its state. */
type DividendRow = readonly [
  symbol: string,
  gross: number,
  kind: keyof typeof kinds,
  ex: number,
  payAfter: number,
  state: State,
  announced?: number,
  currency?: string,
]

const kinds = { FINL: 'A final', INTE: 'An interim', REGR: 'A regular', SPEC: 'A special' }

/** By share, in the currency that it is paid in. */
const dividends: DividendRow[] = [
  ['AAPL:xnas', 0.26, 'REGR', 5, 3, 'Confirmed', -9],
  ['MSFT:xnas', 0.91, 'REGR', 9, 15, 'Confirmed', -30],
  ['NVDA:xnas', 0.01, 'REGR', -4, 15, 'Confirmed', -16],
  ['KO:xnys', 0.51, 'REGR', 11, 12, 'Confirmed', -18],
  ['JNJ:xnys', 1.3, 'REGR', -6, 10, 'Confirmed', -28],
  ['PG:xnys', 1.0568, 'REGR', 38, 17, 'Preliminary'],
  ['F:xnys', 0.18, 'SPEC', 6, 9, 'Approved', -7],
  ['V:xnys', 0.67, 'REGR', -45, 15, 'Approved', -60],
  ['T:xnys', 0.2775, 'REGR', -52, 16, 'Confirmed', -70],
  ['IBM:xnys', 1.68, 'REGR', -70, 20, 'Complete', -85],
  ['INTC:xnas', 0.125, 'REGR', 15, 17, 'Cancelled', -20],
  ['RY:xtse', 1.64, 'REGR', 20, 22, 'Confirmed', -4],
  ['NESN:xswx', 3.05, 'FINL', 60, 2, 'Preliminary', -15],
  ['NOVN:xswx', 3.5, 'FINL', -20, 2, 'Approved', -50],
  ['ALV:xetr', 15.4, 'FINL', 30, 2, 'Confirmed', -12],
  ['SAP:xetr', 2.35, 'FINL', -110, 2, 'Complete', -150],
  ['MC:xpar', 5.5, 'INTE', 7, 2, 'Confirmed', -22],
  ['TTE:xpar', 0.85, 'INTE', -3, 13, 'Confirmed', -44],
  ['OR:xpar', 7, 'FINL', 120, 2, 'Preliminary'],
  ['ULVR:xlon', 0.3894, 'INTE', -9, 20, 'Confirmed', -25],
  ['HSBA:xlon', 0.1, 'INTE', -4, 30, 'Confirmed', -13, 'USD'],
  ['LLOY:xlon', 0.0122, 'INTE', -38, 15, 'Confirmed', -60],
  ['VOD:xlon', 0.0195, 'FINL', -300, 40, 'Approved', -320],
  ['NOVO-B:xcse', 3.75, 'INTE', 3, 2, 'Approved', -40],
  ['MAERSK-B:xcse', 480, 'FINL', -190, 3, 'Approved', -220],
  ['7203:xtks', 45, 'INTE', -33, 42, 'Confirmed', -60],
  ['6758:xtks', 12.5, 'INTE', -33, 45, 'Confirmed', -62],
  ['00700:xhkg', 5.3, 'FINL', 100, 12, 'Preliminary'],
  ['D05:xses', 0.6, 'INTE', 4, 9, 'Confirmed', -8],
  ['SPY:arcx', 1.99, 'REGR', 13, 30, 'Confirmed', -2],
  ['SCHD:arcx', 0.2602, 'REGR', -50, 4, 'Approved', -55],
  ['VWRL:xams', 0.47, 'REGR', 9, 9, 'Confirmed', -6, 'USD'],
  ['LU0820561818', 0.055, 'REGR', 2, 3, 'Confirmed', -5],
  ['PDI:xnys', 0.2205, 'REGR', 10, 14, 'Confirmed', -3],
]

export function dividendEvents(desk: Desk): EventRecord[] {
  const told = dividends.map((row) => cashDividend(desk(row[0]), row))
  return [...told, dividendOfCfds(desk('AAPL:xnas'))]
}

function cashDividend(issue: Issue, row: DividendRow): EventRecord {
  const [, gross, kind, ex, payAfter, state, announced, Currency = issue.currency] = row
  const taxPercent = withholding[issue.country] ?? 0
  const net = rounded(gross * (1 - taxPercent / 100))
  const tax = taxPercent === 0 ? 'No tax is withheld.' : `Withholding tax ${taxPercent} %, net ${net} ${Currency}.`
  const known = announced === undefined ? 'Expected, not yet announced: amount and dates may change.\n' : ''
  return issue.tell('DVCA', 'Mandatory', state, {
    ...(announced !== undefined && { AnnouncedDate: issue.day(announced) }),
    Ex: issue.on(ex),
    Record: issue.on(ex + issue.recordLag),
    EventIndicators: [indicator('Dividend', kind)],
    Narrative: `${known}${kinds[kind]} dividend of ${gross} ${Currency} per share in cash.\n${tax}`,
    Options: outcome('CASH', {
      Payment: issue.on(ex + payAfter),
      IsGross: true,
      IsTaxable: taxPercent > 0,
      GrossRate: gross,
      NetRate: net,
      CashMovements: [
        { CashMovementType: 'Credit', Currency, PriceType: 'Actual', GrossDividend: gross, NetDividend: net },
      ],
    }),
  })
}

/** The same dividend, told to those who hold or owe the share by a contract for difference. */
function dividendOfCfds(issue: Issue): EventRecord {
  const [gross, net] = [0.26, 0.221]
  return issue.tell(
    'DVCA',
    'Mandatory',
    'Confirmed',
    {
      AnnouncedDate: issue.day(-9),
      Ex: issue.on(5),
      Record: issue.on(5),
      EventIndicators: [indicator('Dividend', 'REGR')],
      Narrative:
        'Contracts for difference are adjusted in cash on the ex date: long positions receive 85 % of the dividend, ' +
        'short positions pay all of it.',
      Options: outcome('CASH', {
        Payment: issue.on(6),
        IsGross: false,
        GrossRate: gross,
        NetRate: net,
        CashMovements: [
          { CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual', NetDividend: net },
          { CashMovementType: 'Debit', Currency: 'USD', PriceType: 'Actual', GrossDividend: gross },
        ],
      }),
    },
    { as: 'CfdOnStock' },
  )
}
