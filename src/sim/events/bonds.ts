import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator, outcome, rounded, type State } from './issue.ts'

/** What happens to bonds, all of them long enough to be there for many years. */
export function bondEvents(desk: Desk): EventRecord[] {
  return [
    ...coupons.map((row) => interest(desk(row[0]), row)),
    fullCall(desk('GS-6.75-2037-10'), { price: 101.625, effective: 22, announced: -8, accrued: 1.6875 }),
    fullCall(desk('WMT-6.5-2037-08'), { price: 104.2, effective: 290, announced: -4, accrued: 3.25 }),
    partialCall(desk('PETBRA-6.85-2115-06')),
    putRedemption(desk('PFE-7.2-2039-03')),
    consentSolicitation(desk('ABIBB-4.9-2046-02')),
    exchangeOffer(desk('MEX-5.75-2110-10')),
  ]
}

type CouponRow = readonly [
  symbol: string,
  rate: number,
  timesAYear: 1 | 2,
  ex: number,
  pay: number,
  state: State,
  announced?: number,
]

const coupons: CouponRow[] = [
  ['UST-4.75-2053-11', 4.75, 2, 3, 4, 'Confirmed', -15],
  ['UKT-4.25-2055-12', 4.25, 2, -4, 3, 'Confirmed', -30],
  ['DBR-2.5-2046-08', 2.5, 1, 65, 66, 'Preliminary'],
  ['AAPL-4.65-2046-02', 4.65, 2, -20, -6, 'Approved', -40],
  ['DGB-4.5-2039-11', 4.5, 1, -42, -40, 'Confirmed', -70],
]

function interest(issue: Issue, [, rate, timesAYear, ex, pay, state, announced]: CouponRow): EventRecord {
  const amount = rounded(rate / timesAYear)
  return issue.tell('INTR', 'Mandatory', state, {
    ...(announced !== undefined && { AnnouncedDate: issue.day(announced) }),
    Ex: issue.on(ex),
    Record: issue.on(ex),
    InterestPeriod: issue.period(pay - 252 / timesAYear, pay),
    NumberofDaysAccrued: timesAYear === 2 ? 182 : 365,
    Narrative: `Interest of ${rate} % a year, ${amount} for each 100 ${issue.currency} of the nominal.`,
    Options: outcome('CASH', {
      Payment: issue.on(pay),
      IsGross: true,
      IsTaxable: true,
      GrossRate: amount,
      NetRate: amount,
      CashMovements: [
        { CashMovementType: 'Credit', Currency: issue.currency, PriceType: 'Percentage', InterestRate: amount },
      ],
    }),
  })
}

type Call = { price: number; effective: number; announced: number; accrued: number }

function fullCall(issue: Issue, { price, effective, announced, accrued }: Call): EventRecord {
  return issue.tell('MCAL', 'Mandatory', 'Confirmed', {
    AnnouncedDate: issue.day(announced),
    Effective: issue.on(effective),
    Record: issue.on(effective - 1),
    InterestPeriod: issue.period(effective - 63, effective),
    NumberofDaysAccrued: 90,
    Narrative: `The issuer repays the whole issue before maturity at ${price} % of the nominal, with accrued interest.`,
    Options: outcome('CASH', {
      Payment: issue.on(effective),
      CashMovements: [
        { CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Percentage', OfferPrice: price },
        { CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Percentage', InterestRate: accrued },
      ],
      SecurityMovements: [
        {
          SecurityMovementType: 'Debit',
          Uic: issue.Uic,
          DisplayAndFormat: issue.display,
          LastTrade: issue.on(effective - 2),
        },
      ],
    }),
  })
}

function partialCall(issue: Issue): EventRecord {
  return issue.tell('PCAL', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-12),
    Effective: issue.on(13),
    Record: issue.on(12),
    NewDenominationQuantity: 1000,
    Narrative: 'A fifth of every holding is repaid at par. The rest goes on under the same terms.',
    Options: outcome('CASH', {
      Payment: issue.on(13),
      NewDenominationQuantity: 1000,
      CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Percentage', OfferPrice: 100 }],
      SecurityMovements: [{ SecurityMovementType: 'Debit', Uic: issue.Uic, NewQuantity: 4, OldQuantity: 5 }],
    }),
  })
}

function putRedemption(issue: Issue): EventRecord {
  return issue.tell('BPUT', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-30),
    Effective: issue.on(32),
    Narrative: 'Holders may have their bonds repaid at 101 % of the nominal after the change of control.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(19, 3), ElectionPeriod: issue.period(-10, 22) },
      [
        'CASH',
        {
          Payment: issue.on(32),
          MinExercisableQuantity: 1000,
          MinExercisableMultipleQuantity: 1000,
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Percentage', OfferPrice: 101 }],
        },
      ],
      ['NOAC'],
    ),
    Holdings: [elected('dollars', [[1, 20_000]])],
  })
}

function consentSolicitation(issue: Issue): EventRecord {
  return issue.tell('CONS', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-7),
    Record: issue.on(-8),
    InformationToComply: 'RestrictionsMayApply',
    EventIndicators: [
      indicator('Consent', 'CTRM'),
      indicator('AdditionalBusinessProcess', 'INCP'),
      indicator('CertificationBreakdown', 'QIBB'),
    ],
    Narrative:
      'The issuer asks the holders to let another company of the group take its place as debtor.\n' +
      'Who agrees until the deadline receives 2.50 USD for each 1,000 USD of the nominal, if a majority agrees.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(10), ElectionPeriod: issue.period(-7, 12) },
      [
        'CONY',
        {
          Payment: issue.on(17),
          MinExercisableMultipleQuantity: 1000,
          OptionIndicators: [indicator('Consent', 'CTRM')],
          CashMovements: [
            { CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual', Amount: 2.5, Quantity: 1000 },
          ],
        },
      ],
      ['CONN'],
      ['NOAC'],
    ),
    Holdings: [
      elected('dollars', [[1, 50_000]]),
      elected('dee', [[2, 10_000, { Remarks: 'As the trustees decided.' }]]),
    ],
  })
}

function exchangeOffer(issue: Issue): EventRecord {
  const late = { ...issue.deadlines(23), ElectionPeriod: issue.period(-6, 25) }
  return issue.tell('EXOF', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-6),
    Effective: issue.on(20),
    InformationToComply: 'RestrictionsMayApply',
    MaxQuantitySought: 500_000_000,
    EventIndicators: [indicator('Offer', 'ERUN', 'PART')],
    Narrative: 'New notes of a shorter maturity are offered for these, with cash for those who accept early.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(13), ElectionPeriod: issue.period(-6, 15) },
      [
        'CASE',
        {
          Payment: issue.on(20),
          Narrative: 'Early acceptance: 30 USD in cash for each 1,000 USD of the nominal, besides the new notes.',
          CashMovements: [
            { CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual', Amount: 30, Quantity: 1000 },
          ],
          SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 870, OldQuantity: 1000 }],
        },
      ],
      [
        'SECU',
        {
          ...late,
          Payment: issue.on(30),
          MinPrice: { Type: 'Percentage', Value: 84 },
          SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 840, OldQuantity: 1000 }],
        },
      ],
      ['NOAC', late],
    ),
    Holdings: [
      elected('family', [
        [1, 20_000],
        [2, 10_000],
      ]),
    ],
  })
}
