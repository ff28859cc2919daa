import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator } from './issue.ts'

/** New shares that holders are asked to pay for. */
export function capitalEvents(desk: Desk): EventRecord[] {
  return [
    rightsIssue(desk('ORSTED:xcse')),
    openOffer(desk('EZJ:xlon')),
    pastRightsIssue(desk('ALO:xpar')),
    withdrawnRightsIssue(desk('LHA:xetr')),
    warrantExercise(desk('HTZWW:xnas')),
  ]
}

/** The next thing that ada has to decide, soon and alone. */
function rightsIssue(issue: Issue): EventRecord {
  const subscription = paidFor(issue)
  return issue.tell('RHTS', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-40),
    Ex: issue.on(-9),
    Record: issue.on(-8),
    InformationToComply: 'RestrictionsMayApply',
    EventIndicators: [
      indicator('RenounceableStatusofEntitlement', 'RENO'),
      indicator('CertificationBreakdown', 'NDOM'),
      indicator('AdditionalBusinessProcess', 'NAMC'),
    ],
    Narrative:
      'A rights issue of 15 new shares for every 7 held, at 66.60 DKK each. Every share gets one right.\n' +
      'Rights that are neither used nor sold lapse without compensation.\n' +
      'Not open to holders in the United States, Canada, Australia and Japan.',
    Options: choices(
      'LAPS',
      { ...issue.deadlines(2), ElectionPeriod: issue.period(-7, 4) },
      ['EXER', subscription],
      [
        'OVER',
        {
          ...subscription,
          MaxExercisableQuantity: 100_000,
          Narrative: 'Shares that nobody subscribed for, allotted in proportion to the rights that were used.',
          OptionIndicators: [indicator('Offer', 'ACPR')],
        },
      ],
      [
        'SLLE',
        {
          TradingPeriod: issue.period(-9, 1),
          Payment: issue.on(5),
          IsTaxable: true,
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'DKK', PriceType: 'Actual' }],
        },
      ],
      ['LAPS'],
    ),
    Holdings: [
      elected('family', [[1, 280]], { CashReserved: { Currency: 'DKK', Value: 39_960 } }),
      elected('bo', [
        [1, 35, { Remarks: 'Five times seven.' }],
        [3, 15],
      ]),
    ],
  })
}

function paidFor(issue: Issue) {
  return {
    CashRequired: true,
    Payment: issue.on(9),
    MinExercisableQuantity: 7,
    MinExercisableMultipleQuantity: 7,
    CashMovements: [
      { CashMovementType: 'Debit', Currency: 'DKK', PriceType: 'Actual', SubscriptionPrice: 66.6 } as const,
    ],
    SecurityMovements: [
      {
        SecurityMovementType: 'Credit',
        Currency: 'DKK',
        DisplayAndFormat: issue.display,
        Uic: issue.Uic,
        NewQuantity: 15,
        OldQuantity: 7,
        AvailableForTrade: issue.on(10),
      } as const,
    ],
  }
}

/** Unlike rights, the entitlement cannot be sold. */
function openOffer(issue: Issue): EventRecord {
  return issue.tell('PRIO', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-6),
    Ex: issue.on(-5),
    Record: issue.on(-6),
    InformationToComply: 'RestrictionsMayApply',
    EventIndicators: [indicator('RenounceableStatusofEntitlement', 'NREN')],
    Narrative: 'An open offer of 3 new shares for every 20 held, at 410 pence each. Entitlements cannot be sold.',
    Options: choices(
      'LAPS',
      { ...issue.deadlines(10, 1), ElectionPeriod: issue.period(-5, 11) },
      [
        'EXER',
        {
          CashRequired: true,
          Payment: issue.on(14),
          CashMovements: [{ CashMovementType: 'Debit', Currency: 'GBP', PriceType: 'Actual', SubscriptionPrice: 4.1 }],
          SecurityMovements: [
            {
              SecurityMovementType: 'Credit',
              Uic: issue.Uic,
              NewQuantity: 3,
              OldQuantity: 20,
              AvailableForTrade: issue.on(15),
            },
          ],
        },
      ],
      [
        'OVER',
        {
          CashRequired: true,
          Payment: issue.on(14),
          OptionStatus: 'Inactive',
          Narrative: 'The excess application facility was filled by the first applications and takes no more.',
        },
      ],
      ['LAPS'],
    ),
    Holdings: [elected('treasury', [[1, 600]], { CashReserved: { Currency: 'GBP', Value: 369 } })],
  })
}

function pastRightsIssue(issue: Issue): EventRecord {
  return issue.tell(
    'RHTS',
    'Voluntary',
    'Complete',
    {
      AnnouncedDate: issue.day(-170),
      Ex: issue.on(-160),
      Record: issue.on(-159),
      EventIndicators: [indicator('RenounceableStatusofEntitlement', 'RENO')],
      Narrative: 'A rights issue of 1 new share for every 5 held, at 13 EUR each.',
      Options: choices(
        'LAPS',
        issue.deadlines(-152),
        ['EXER', { CashRequired: true, Payment: issue.on(-144) }],
        ['SLLE', { TradingPeriod: issue.period(-160, -152), Payment: issue.on(-148) }],
        ['LAPS'],
      ),
      Holdings: [elected('family', [[1, 1000]])],
    },
    { updated: -143 },
  )
}

function withdrawnRightsIssue(issue: Issue): EventRecord {
  return issue.tell('RHTS', 'Voluntary', 'Withdrawn', {
    AnnouncedDate: issue.day(-26),
    Ex: { Status: 'Unknown' },
    Record: { Status: 'Unknown' },
    Narrative: 'The company has given up the capital increase that it had announced. Nothing has to be done.',
    Options: choices(
      'LAPS',
      { ...issue.deadlines(-12), OptionStatus: 'Cancelled' },
      ['EXER', { CashRequired: true }],
      ['LAPS'],
    ),
  })
}

function warrantExercise(issue: Issue): EventRecord {
  return issue.tell('EXWA', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-200),
    Effective: { Status: 'Ongoing' },
    StrikePrice: issue.price(13.8),
    EventStatus: 'Active',
    Narrative: 'Each warrant buys one share at 13.80 USD, on any day until it expires.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(160), ElectionPeriod: { Start: { Status: 'Ongoing' }, End: issue.on(162) } },
      [
        'EXER',
        {
          CashRequired: true,
          MinExercisableQuantity: 1,
          CashMovements: [{ CashMovementType: 'Debit', Currency: 'USD', PriceType: 'Actual', SubscriptionPrice: 13.8 }],
          SecurityMovements: [{ SecurityMovementType: 'Credit', Currency: 'USD', NewQuantity: 1, OldQuantity: 1 }],
        },
      ],
      ['NOAC'],
    ),
    Holdings: [elected('dollars', [[1, 1000]])],
  })
}
