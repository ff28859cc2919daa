import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator, outcome } from './issue.ts'

/** Companies that combine, part, move or go. */
export function mergerEvents(desk: Desk): EventRecord[] {
  return [
    mergerForCashAndStock(desk('STO:xasx'), desk('WDS:xasx')),
    mergerWithChoice(desk('EVN:xasx'), desk('NST:xasx')),
    spinOff(desk('HON:xnas')),
    pastSpinOff(desk('ULVR:xlon')),
    completeSpinOff(desk('CON:xetr')),
    newName(desk('AAL:xlon')),
    newSeat(desk('AGN:xams')),
    suspension(desk('03333:xhkg')),
    delisting(desk('03333:xhkg')),
  ]
}

function mergerForCashAndStock(target: Issue, buyer: Issue): EventRecord {
  return target.tell('MRGR', 'Mandatory', 'Approved', {
    AnnouncedDate: target.day(-75),
    Effective: target.on(24),
    Record: target.on(28),
    TradingSuspended: target.on(25),
    EventIndicators: [indicator('AdditionalBusinessProcess', 'SCHM', 'ATXF'), indicator('Offer', 'NDIS')],
    Narrative:
      'A scheme of arrangement, approved by the shareholders and the court.\n' +
      'Each share is exchanged for 0.24 shares of the buyer and AUD 1.10 in cash; fractions are rounded up.',
    Options: outcome('CASE', {
      Payment: target.on(34),
      IsTaxable: true,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'AUD', PriceType: 'Actual', Amount: 1.1 }],
      SecurityMovements: [
        {
          SecurityMovementType: 'Debit',
          DisplayAndFormat: target.display,
          Uic: target.Uic,
          OldQuantity: 100,
          LastTrade: target.on(24),
        },
        {
          SecurityMovementType: 'Credit',
          Currency: 'AUD',
          DisplayAndFormat: buyer.display,
          Uic: buyer.Uic,
          NewQuantity: 24,
          AvailableForTrade: target.on(35),
        },
      ],
    }),
  })
}

function mergerWithChoice(target: Issue, buyer: Issue): EventRecord {
  const cash = (Amount: number) =>
    ({ CashMovementType: 'Credit', Currency: 'AUD', PriceType: 'Actual', Amount }) as const
  const shares = (NewQuantity: number) =>
    ({ SecurityMovementType: 'Credit', Uic: buyer.Uic, NewQuantity, OldQuantity: 1000 }) as const
  return target.tell('MRGR', 'Voluntary', 'Confirmed', {
    AnnouncedDate: target.day(-48),
    Effective: target.on(30),
    Record: target.on(26),
    EventIndicators: [indicator('AdditionalBusinessProcess', 'SCHM', 'NPLE'), indicator('Offer', 'DISS')],
    Narrative:
      'A merger by scheme of arrangement. Holders may choose more cash or more shares; choices are cut back when one of ' +
      'them is asked for too much. Who does not choose gets the mix.',
    Options: choices(
      'CASE',
      { ...target.deadlines(15, 3), ElectionPeriod: target.period(-4, 18), Payment: target.on(36), IsTaxable: true },
      ['CASE', { CashMovements: [cash(3.1)], SecurityMovements: [shares(310)] }],
      ['CASH', { CashMovements: [cash(11.2)] }],
      ['SECU', { SecurityMovements: [shares(432)] }],
    ),
    Holdings: [elected('dollars', [[2, 400]]), elected('cy', [[3, 2500, { Remarks: 'All of it.' }]])],
  })
}

function spinOff(issue: Issue): EventRecord {
  return issue.tell('SOFF', 'Mandatory', 'Confirmed', {
    AnnouncedDate: issue.day(-31),
    Ex: issue.on(21),
    Record: issue.on(12),
    Narrative:
      'The aerospace business becomes a company of its own: one of its shares for every two held.\n' +
      'Until the ex date both can be dealt in beforehand. Fractions are sold and paid in cash.',
    Options: outcome('SECU', {
      Payment: issue.on(20),
      IsTaxable: false,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual' }],
      SecurityMovements: [
        {
          SecurityMovementType: 'Credit',
          Currency: 'USD',
          DisplayAndFormat: { Description: 'Sample Aerospace Inc.', Symbol: 'SMPL:xnas' },
          HeldQuantity: 2,
          ReceivedQuantity: 1,
          AvailableForTrade: issue.on(21),
        },
      ],
    }),
  })
}

function pastSpinOff(issue: Issue): EventRecord {
  return issue.tell('SOFF', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-90),
    Ex: issue.on(-55),
    Record: issue.on(-56),
    Narrative: 'The ice cream business has become a company of its own: one of its shares for every five held.',
    Options: outcome('SECU', {
      Payment: issue.on(-54),
      SecurityMovements: [{ SecurityMovementType: 'Credit', HeldQuantity: 5, ReceivedQuantity: 1 }],
    }),
  })
}

function completeSpinOff(issue: Issue): EventRecord {
  return issue.tell(
    'SOFF',
    'Mandatory',
    'Complete',
    {
      AnnouncedDate: issue.day(-180),
      Ex: issue.on(-140),
      Record: issue.on(-139),
      Narrative: 'The automotive business has become a company of its own: one of its shares for every two held.',
      Options: outcome('SECU', { Payment: issue.on(-138), IsTaxable: false }),
    },
    { updated: -137 },
  )
}

function newName(issue: Issue): EventRecord {
  return issue.tell('CHAN', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-22),
    Effective: issue.on(10),
    EventIndicators: [indicator('Change', 'NAME')],
    Narrative: 'The company takes another name after its merger. ISIN and symbol stay as they are.',
    Options: outcome('SECU', {}),
  })
}

function newSeat(issue: Issue): EventRecord {
  return issue.tell('PLAC', 'Mandatory', 'Preliminary', {
    AnnouncedDate: issue.day(-66),
    Effective: { Status: 'Unknown' },
    EventStatus: 'Upcoming',
    EventIndicators: [indicator('Change', 'TERM')],
    Narrative: 'The company looks into moving its legal seat to the United States. No day has been set.',
  })
}

function suspension(issue: Issue): EventRecord {
  return issue.tell('SUSP', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-240),
    Effective: issue.on(-240),
    TradingSuspended: { Status: 'Ongoing' },
    Narrative: 'Trading is halted until further notice.',
  })
}

function delisting(issue: Issue): EventRecord {
  return issue.tell(
    'DLST',
    'Mandatory',
    'Complete',
    {
      AnnouncedDate: issue.day(-70),
      Effective: issue.on(-50),
      TradingSuspended: issue.on(-240),
      Narrative: 'The share has left the list of the exchange. Holdings stay in the accounts and cannot be dealt in.',
    },
    { updated: -50 },
  )
}
