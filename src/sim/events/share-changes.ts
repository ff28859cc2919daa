import type { EventRecord } from '../../events/import/schema.ts'
import { type Desk, type Issue, indicator, outcome, type State } from './issue.ts'

/** Events that change the number of shares, or their board lot, for everyone alike. */
export function shareChangeEvents(desk: Desk): EventRecord[] {
  const booking = desk('BKNG:xnas')
  return [
    split(booking, { into: 25, effective: 8, announced: -20, state: 'Confirmed' }),
    splitOfCfds(booking),
    split(desk('7974:xtks'), { into: 5, effective: -60, announced: -120, state: 'Approved' }),
    split(desk('NFLX:xnas'), { into: 10, effective: -290, announced: -305, state: 'Complete' }),
    reverseSplit(desk('TIT:xmil')),
    bonusIssue(desk('AI:xpar')),
    stockDividend(desk('ITUB4:bvmf')),
    boardLot(desk('9983:xtks')),
  ]
}

type Split = { into: number; effective: number; announced: number; state: State }

function split(issue: Issue, { into, effective, announced, state }: Split): EventRecord {
  return issue.tell('SPLF', 'Mandatory', state, {
    AnnouncedDate: issue.day(announced),
    Ex: issue.on(effective),
    Effective: issue.on(effective),
    Record: issue.on(effective - 1),
    Narrative: `Each share becomes ${into}. Prices, orders and option contracts are adjusted on the ex date.`,
    Options: outcome('SECU', {
      Payment: issue.on(effective - 1),
      IsTaxable: false,
      SecurityMovements: [
        {
          SecurityMovementType: 'Credit',
          DisplayAndFormat: issue.display,
          Uic: issue.Uic,
          NewQuantity: into,
          OldQuantity: 1,
          AvailableForTrade: issue.on(effective),
        },
      ],
    }),
  })
}

function splitOfCfds(issue: Issue): EventRecord {
  return issue.tell(
    'SPLF',
    'Mandatory',
    'Confirmed',
    {
      AnnouncedDate: issue.day(-20),
      Ex: issue.on(8),
      Effective: issue.on(8),
      Narrative:
        'Open contracts for difference are multiplied by 25 and their price divided by 25, before trading begins.',
      Options: outcome('SECU', {
        Payment: issue.on(8),
        SecurityMovements: [{ SecurityMovementType: 'Unknown', Uic: issue.Uic, NewQuantity: 25, OldQuantity: 1 }],
      }),
    },
    { as: 'CfdOnStock' },
  )
}

function reverseSplit(issue: Issue): EventRecord {
  return issue.tell('SPLR', 'Mandatory', 'Preliminary', {
    AnnouncedDate: issue.day(-15),
    Ex: issue.on(35),
    Effective: issue.on(35),
    Record: issue.on(36),
    TradingSuspended: issue.on(34),
    NewBoardLotQuantity: 1,
    NewDenominationQuantity: 10,
    Narrative: 'Ten shares become one with a new ISIN, if the meeting of the shareholders agrees.\nFractions are sold.',
    Options: outcome('SECU', {
      Payment: issue.on(37),
      NewBoardLotQuantity: 1,
      NewDenominationQuantity: 10,
      SecurityMovements: [
        { SecurityMovementType: 'Debit', Uic: issue.Uic, OldQuantity: 10, LastTrade: issue.on(34) },
        { SecurityMovementType: 'Credit', NewQuantity: 1, AvailableForTrade: issue.on(37) },
      ],
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'EUR', PriceType: 'Actual', Quantity: 1 }],
    }),
  })
}

function bonusIssue(issue: Issue): EventRecord {
  return issue.tell('BONU', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-18),
    Ex: issue.on(42),
    Record: issue.on(43),
    EventIndicators: [indicator('AdditionalBusinessProcess', 'ACLA')],
    Narrative: 'One free share for every ten held. Registered shares held for two years get another tenth of that.',
    Options: outcome('SECU', {
      Payment: issue.on(44),
      IsTaxable: false,
      SecurityMovements: [
        {
          SecurityMovementType: 'Credit',
          DisplayAndFormat: issue.display,
          Uic: issue.Uic,
          HeldQuantity: 10,
          ReceivedQuantity: 1,
          AvailableForTrade: issue.on(44),
        },
      ],
    }),
  })
}

function stockDividend(issue: Issue): EventRecord {
  return issue.tell('DVSE', 'Mandatory', 'Confirmed', {
    AnnouncedDate: issue.day(-24),
    Ex: issue.on(-2),
    Record: issue.on(-3),
    EventIndicators: [indicator('Dividend', 'SPEC')],
    Narrative: 'A dividend of 3 new preferred shares for every 100 held. The value for tax is 18.25 BRL per new share.',
    Options: outcome('SECU', {
      Payment: issue.on(3),
      IsTaxable: true,
      CashMovements: [{ CashMovementType: 'Unknown', Currency: 'BRL', PriceType: 'Actual', DeemedRate: 18.25 }],
      SecurityMovements: [{ SecurityMovementType: 'Credit', Uic: issue.Uic, HeldQuantity: 100, ReceivedQuantity: 3 }],
    }),
  })
}

function boardLot(issue: Issue): EventRecord {
  return issue.tell('SMAL', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-9),
    Effective: issue.on(30),
    NewBoardLotQuantity: 10,
    Narrative: 'From this day on the share is dealt in lots of 10 in place of 100. Holdings do not change.',
    Options: outcome('SECU', { NewBoardLotQuantity: 10, Payment: issue.on(30) }),
  })
}
