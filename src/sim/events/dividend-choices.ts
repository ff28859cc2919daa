import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator, outcome } from './issue.ts'

/** Dividends whose form the holder chooses. */
export function dividendChoiceEvents(desk: Desk): EventRecord[] {
  return [
    stockOrCash(desk('NN:xams')),
    expectedStockOrCash(desk('ACA:xpar')),
    pastFlexibleDividend(desk('IBE:xmad')),
    australianReinvestment(desk('NAB:xasx')),
    scripByStandingOrder(desk('NG:xlon')),
    freeAllotmentRights(desk('ACS:xmad'), desk('ACS.D:xmad')),
    callOnRights(desk('ACS.D:xmad'), desk('ACS:xmad')),
  ]
}

function stockOrCash(issue: Issue): EventRecord {
  return issue.tell('DVOP', 'Voluntary', 'Confirmed', {
    DisplayAndFormat: issue.display,
    AnnouncedDate: issue.day(-25),
    Ex: issue.on(-7),
    Record: issue.on(-6),
    EventIndicators: [indicator('Dividend', 'INTE')],
    Narrative:
      'An interim dividend of 1.38 EUR per ordinary share, in cash or in new shares, as the holder chooses.\n' +
      'Dutch dividend tax of 15 % is withheld of cash. The stock dividend is charged to the share premium reserve: ' +
      'no tax is withheld of it.\nOne new share for every 42 held; fractions are paid in cash.',
    Options: choices(
      'CASH',
      { ...issue.deadlines(7), ElectionPeriod: issue.period(-5, 9), Payment: issue.on(14) },
      [
        'CASH',
        {
          IsGross: true,
          IsTaxable: true,
          GrossRate: 1.38,
          NetRate: 1.173,
          CashMovements: [
            {
              CashMovementType: 'Credit',
              Currency: 'EUR',
              PriceType: 'Actual',
              GrossDividend: 1.38,
              NetDividend: 1.173,
            },
          ],
        },
      ],
      [
        'SECU',
        {
          IsTaxable: false,
          Narrative: 'The ratio follows the average price of the last five days of the election period.',
          SecurityMovements: [
            {
              SecurityMovementType: 'Credit',
              Currency: 'EUR',
              DisplayAndFormat: issue.display,
              Uic: issue.Uic,
              NewQuantity: 1,
              OldQuantity: 42,
              AvailableForTrade: issue.on(14),
            },
          ],
        },
      ],
    ),
    Holdings: [
      elected('family', [
        [2, 840, { Remarks: 'In whole lots of 42.' }],
        [1, 160, {}],
      ]),
      elected('treasury', [[1, 250, { Instruction: { Status: 'InProgress' } }]]),
      elected('dee', [[2, 420]]),
    ],
  })
}

/** Not even the ratio is known. */
function expectedStockOrCash(issue: Issue): EventRecord {
  return issue.tell('DVOP', 'Voluntary', 'Preliminary', {
    Ex: issue.on(90),
    Record: issue.on(91),
    EventIndicators: [indicator('Dividend', 'FINL')],
    Narrative: 'The board may propose a final dividend with payment in cash or shares. Expected, not yet announced.',
    Options: choices(
      'CASH',
      { ...issue.deadlines(104), ElectionPeriod: { Start: issue.on(92), End: { Status: 'Unknown' } } },
      ['CASH', { Payment: issue.on(112), IsGross: true, IsTaxable: true, GrossRate: 1.1, NetRate: 0.825 }],
      ['SECU', { OptionStatus: 'Unknown', Narrative: 'Price and ratio are not known yet.' }],
    ),
  })
}

function pastFlexibleDividend(issue: Issue): EventRecord {
  return issue.tell(
    'DVOP',
    'Voluntary',
    'Complete',
    {
      AnnouncedDate: issue.day(-130),
      Ex: issue.on(-105),
      Record: issue.on(-104),
      Narrative: 'A flexible dividend: 0.404 EUR per share in cash, or one new share for every 38 held.',
      Options: choices(
        'SECU',
        { ...issue.deadlines(-97), Payment: issue.on(-88) },
        ['CASH', { IsTaxable: true, GrossRate: 0.404, NetRate: 0.32724 }],
        ['SECU', { SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 1, OldQuantity: 38 }] }],
      ),
      Holdings: [elected('family', [[1, 900]])],
    },
    { updated: -87 },
  )
}

function australianReinvestment(issue: Issue): EventRecord {
  const parts = { FLFR: 0.765, UNFR: 0.06, CDFI: 0.025 }
  const breakdown = Object.entries(parts).map(([Code, Amount]) => ({ Amount, Component: { Code }, Currency: 'AUD' }))
  return issue.tell('DRIP', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-11),
    Ex: issue.on(-3),
    Record: issue.on(-2),
    EventIndicators: [indicator('Dividend', 'FINL', 'REIN')],
    Narrative:
      'A final dividend of AUD 0.85 per share, franked to 90 % at a company tax rate of 30 %.\n' +
      'Of the unfranked part AUD 0.025 is conduit foreign income, of which nothing is withheld from holders abroad; ' +
      'of the rest 30 % are.\nIt can be invested in shares at a discount of 1.5 % to the average market price.',
    Options: choices(
      'CASH',
      { ...issue.deadlines(9, 1), ElectionPeriod: issue.period(-3, 10), Payment: issue.on(30), IsTaxable: true },
      [
        'CASH',
        {
          IsGross: true,
          GrossRate: 0.85,
          NetRate: 0.832,
          CashMovements: [
            {
              CashMovementType: 'Credit',
              Currency: 'AUD',
              PriceType: 'Actual',
              GrossDividend: 0.85,
              NetDividend: 0.832,
            },
          ],
          PayoutBreakdown: breakdown,
        },
      ],
      [
        'SECU',
        {
          Narrative: 'Dividend reinvestment plan. Residents of Australia and New Zealand only; others receive cash.',
          OptionIndicators: [indicator('CertificationBreakdown', 'DOMI')],
          PayoutBreakdown: breakdown,
          SecurityMovements: [{ SecurityMovementType: 'Credit', Currency: 'AUD', Uic: issue.Uic }],
        },
      ],
    ),
    Holdings: [elected('dollars', [[1, 500]]), elected('cy', [[1, 1200, { ElectionType: 'Auto' }]])],
  })
}

function scripByStandingOrder(issue: Issue): EventRecord {
  return issue.tell('DVOP', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-8),
    Ex: issue.on(10),
    Record: issue.on(11),
    EventIndicators: [indicator('Dividend', 'INTE')],
    Narrative: 'An interim dividend of 16.35 pence per share in cash, or shares at the scrip reference price.',
    Options: choices(
      'CASH',
      { ...issue.deadlines(25), ElectionPeriod: issue.period(12, 27), Payment: issue.on(48) },
      ['CASH', { IsTaxable: false, GrossRate: 0.1635, NetRate: 0.1635 }],
      ['SECU', { SecurityMovements: [{ SecurityMovementType: 'Credit', Currency: 'GBP', Uic: issue.Uic }] }],
    ),
    Holdings: [
      elected('treasury', [[2, 1500, { ElectionType: 'Auto', ElectedBy: 'Standing instruction' }]]),
      elected('bo', [[2, 100, { Instruction: { Status: 'Rejected' }, Remarks: 'Given after an earlier election.' }]]),
    ],
  })
}

/** A Spanish dividend comes in two steps: rights are handed out, and then used, sold to the company or in the market. */
function freeAllotmentRights(issue: Issue, right: Issue): EventRecord {
  return issue.tell('RHDI', 'Mandatory', 'Confirmed', {
    AnnouncedDate: issue.day(-14),
    Ex: issue.on(-4),
    Record: issue.on(-3),
    EventIndicators: [indicator('Sequence', 'INTE'), indicator('RenounceableStatusofEntitlement', 'RENO')],
    Narrative: 'One free allotment right for each share. What the rights are good for is told in an event of its own.',
    Options: outcome('SECU', {
      Payment: issue.on(-2),
      SecurityMovements: [
        {
          SecurityMovementType: 'Credit',
          DisplayAndFormat: right.display,
          Uic: right.Uic,
          HeldQuantity: 1,
          ReceivedQuantity: 1,
          LastTrade: right.on(9),
        },
      ],
    }),
  })
}

function callOnRights(right: Issue, share: Issue): EventRecord {
  return right.tell('EXRI', 'Voluntary', 'Confirmed', {
    AnnouncedDate: right.day(-14),
    Ex: right.on(-1),
    EventIndicators: [indicator('Sequence', 'FINL')],
    Narrative:
      '<p>Each right can be used in one of three ways:</p>\n<ul><li>52 rights give <b>one new share</b></li>' +
      '<li>the company buys rights at <b>1.462 EUR</b></li><li>rights can be sold in the market</li></ul>',
    Options: choices(
      'CASH',
      right.deadlines(6),
      [
        'EXER',
        {
          Payment: right.on(20),
          MinExercisableMultipleQuantity: 52,
          SecurityMovements: [
            { SecurityMovementType: 'Debit', Uic: right.Uic, HeldQuantity: 52 },
            { SecurityMovementType: 'Credit', Uic: share.Uic, ReceivedQuantity: 1, AvailableForTrade: right.on(20) },
          ],
        },
      ],
      [
        'CASH',
        {
          Payment: right.on(12),
          IsTaxable: true,
          GrossRate: 1.462,
          NetRate: 1.18422,
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'EUR', PriceType: 'Actual', OfferPrice: 1.462 }],
        },
      ],
      ['SLLE', { TradingPeriod: right.period(-1, 9), Narrative: 'At what the market pays, less our commission.' }],
    ),
    Holdings: [elected('family', [[1, 260]])],
  })
}
