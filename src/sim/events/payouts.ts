import type { EventRecord } from '../../events/import/schema.ts'
import { type Desk, type Issue, indicator, outcome, rounded, type State } from './issue.ts'

/** Payments that are more than a dividend, or none at all: each is told with what it is made of. */
export function payoutEvents(desk: Desk): EventRecord[] {
  return [
    premiumDividend(desk('URW:xpar')),
    frankedDividend(desk('BHP:xasx'), { gross: 0.9482, franked: 1, ex: -8, pay: 12, state: 'Confirmed' }),
    frankedDividend(desk('MQG:xasx'), { gross: 2.8, franked: 0.35, ex: -28, pay: -4, state: 'Approved' }),
    capitalGains(desk('US9229087286')),
    accumulation(desk('GB00B41YBW71')),
    reclassification(desk('VNQ:arcx')),
  ]
}

function premiumDividend(issue: Issue): EventRecord {
  return issue.tell('SHPR', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-34),
    Ex: issue.on(26),
    Record: issue.on(27),
    Narrative:
      'A distribution of 3.50 EUR per stapled share out of the share premium.\n' +
      'It counts as a repayment of capital: no tax is withheld.',
    Options: outcome('CASH', {
      Payment: issue.on(28),
      IsGross: true,
      IsTaxable: false,
      GrossRate: 3.5,
      NetRate: 3.5,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'EUR', PriceType: 'Actual', Amount: 3.5 }],
      PayoutBreakdown: [{ Amount: 3.5, Component: { Code: 'CAPO' }, Currency: 'EUR' }],
    }),
  })
}

type Franked = { gross: number; franked: number; ex: number; pay: number; state: State }

/** Of an Australian dividend the franked part has been taxed with the company already; nothing more is withheld of it. */
function frankedDividend(issue: Issue, { gross, franked, ex, pay, state }: Franked): EventRecord {
  const parts = { FLFR: rounded(gross * franked), UNFR: rounded(gross * (1 - franked)) }
  const tax = rounded(parts.UNFR * 0.3)
  return issue.tell('DVCA', 'Mandatory', state, {
    AnnouncedDate: issue.day(ex - 12),
    Ex: issue.on(ex),
    Record: issue.on(ex + 1),
    EventIndicators: [indicator('Dividend', 'FINL')],
    Narrative:
      `A dividend of AUD ${gross} per share, franked to ${franked * 100} % at a company tax rate of 30 %.\n` +
      `Withholding tax 30 % of the unfranked part: AUD ${tax}.`,
    Options: outcome('CASH', {
      Payment: issue.on(pay),
      IsGross: true,
      IsTaxable: tax > 0,
      GrossRate: gross,
      NetRate: rounded(gross - tax),
      CashMovements: [
        { CashMovementType: 'Credit', Currency: 'AUD', GrossDividend: gross, NetDividend: rounded(gross - tax) },
      ],
      PayoutBreakdown: Object.entries(parts)
        .filter(([, Amount]) => Amount > 0)
        .map(([Code, Amount]) => ({ Amount, Component: { Code }, Currency: 'AUD' })),
    }),
  })
}

function capitalGains(issue: Issue): EventRecord {
  return issue.tell('CAPG', 'Mandatory', 'Confirmed', {
    AnnouncedDate: issue.day(-6),
    Ex: issue.on(14),
    Record: issue.on(13),
    EventIndicators: [indicator('Dividend', 'CAPG')],
    Narrative: 'The fund pays out the gains of its financial year, 0.412 USD per unit, invested again where agreed.',
    Options: outcome('CASH', {
      Payment: issue.on(15),
      IsTaxable: true,
      GrossRate: 0.412,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual', Amount: 0.412 }],
      PayoutBreakdown: [
        { Amount: 0.331, Component: { Code: 'LTCG' }, Currency: 'USD' },
        { Amount: 0.081, Component: { Code: 'STCG' }, Currency: 'USD' },
      ],
    }),
  })
}

/** Nothing is paid, and yet it is income. */
function accumulation(issue: Issue): EventRecord {
  return issue.tell('ACCU', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-40),
    Ex: issue.on(-18),
    EventIndicators: [indicator('Dividend', 'REIN')],
    Narrative: 'Income of 0.0186 GBP per unit stays in the fund. It counts as received for tax; no cash is paid.',
    Options: outcome('SECU', {
      Payment: issue.on(21),
      IsTaxable: true,
      CashMovements: [{ CashMovementType: 'Unknown', Currency: 'GBP', PriceType: 'Actual', DeemedRate: 0.0186 }],
      PayoutBreakdown: [
        { Amount: 0.0171, Component: { Code: 'INCO' }, Currency: 'GBP' },
        { Amount: 0.0015, Component: { Code: 'EQUL' }, Currency: 'GBP' },
      ],
    }),
  })
}

function reclassification(issue: Issue): EventRecord {
  return issue.tell('RCLA', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-10),
    Ex: issue.on(-85),
    Record: issue.on(-85),
    Narrative: 'The payout of 0.9646 USD per unit is divided anew for US tax. Tax of the past year is corrected.',
    Options: outcome('CASH', {
      Payment: issue.on(-80),
      IsTaxable: true,
      PayoutBreakdown: [
        { Amount: 0.6103, Component: { Code: 'INCO' }, Currency: 'USD' },
        { Amount: 0.1207, Component: { Code: 'LTCG' }, Currency: 'USD' },
        { Amount: 0.2336, Component: { Code: 'CAPO' }, Currency: 'USD' },
      ],
    }),
  })
}
