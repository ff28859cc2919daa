import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator } from './issue.ts'

/** Offers to buy what is held. */
export function offerEvents(desk: Desk): EventRecord[] {
  return [
    tenderOffer(desk('BAVA:xcse')),
    dutchAuction(desk('EBAY:xnas')),
    buyBack(desk('SMT:xlon')),
    plannedBuyBack(desk('ADX:xnys')),
    oddLots(desk('SLM:xjse')),
    withdrawnOffer(desk('UBI:xpar')),
    cancelledOffer(desk('CBK:xetr')),
  ]
}

const cashAt = (Currency: string, OfferPrice: number) =>
  ({ CashMovementType: 'Credit', Currency, PriceType: 'Actual', OfferPrice }) as const

function tenderOffer(issue: Issue): EventRecord {
  return issue.tell('TEND', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-28),
    Effective: issue.on(22),
    InformationToComply: 'RestrictionsMayApply',
    MinQuantitySought: 52_600_000,
    EventIndicators: [indicator('Offer', 'FINL'), indicator('AdditionalBusinessProcess', 'REAC')],
    Narrative:
      'A bidding company of two private equity investors offers 250 DKK in cash for each share.\n' +
      'The offer depends on acceptance for two thirds of the shares and on the authorities. Acceptances can be ' +
      'withdrawn until the offer is declared unconditional.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(11), ElectionPeriod: issue.period(-27, 13) },
      [
        'CASH',
        {
          Payment: issue.on(22),
          IsTaxable: true,
          CashMovements: [cashAt('DKK', 250)],
          SecurityMovements: [
            { SecurityMovementType: 'Debit', DisplayAndFormat: issue.display, Uic: issue.Uic, OldQuantity: 1 },
          ],
        },
      ],
      ['NOAC'],
    ),
    Holdings: [elected('family', [[1, 120]]), elected('bo', [[1, 60]])],
  })
}

/** Holders name their price on a ladder of bids. */
function dutchAuction(issue: Issue): EventRecord {
  const bids = {
    MinPrice: issue.price(84),
    MaxPrice: issue.price(94),
    FirstBidIncrementPrice: issue.price(85),
    LastBidIncrementPrice: issue.price(93),
    BidIntervalRate: issue.price(1),
  }
  const shared = { ...issue.deadlines(8, 1), ElectionPeriod: issue.period(-12, 9), IsTaxable: true }
  return issue.tell('DTCH', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-13),
    Effective: issue.on(10),
    InformationToComply: 'RestrictionsMayApply',
    ...bids,
    MaxQuantitySought: 22_500_000,
    MinQuantitySought: 1,
    EventIndicators: [indicator('BidRange', 'INCR'), indicator('Offer', 'PART', 'ACPR')],
    Narrative:
      'The company buys back up to 22.5 million of its shares at the lowest single price, between 84 and 94 USD, at ' +
      'which enough are offered.\nHolders of fewer than 100 shares who offer all of them are served first.',
    Options: choices(
      'NOAC',
      shared,
      [
        'CASH',
        {
          ...bids,
          Payment: issue.on(13),
          Narrative: 'At a price of your own, in steps of 1 USD.',
          OptionIndicators: [indicator('BidRange', 'INCR')],
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'USD', PriceType: 'Actual' }],
        },
      ],
      ['CASH', { Payment: issue.on(13), Narrative: 'At whatever price the auction finds.' }],
      [
        'CASH',
        {
          Payment: issue.on(13),
          MaxExercisableQuantity: 99,
          Narrative: 'Odd lots: all shares of a holder of fewer than 100.',
          OptionIndicators: [indicator('Offer', 'RCHD')],
        },
      ],
      ['NOAC'],
    ),
    Holdings: [
      elected('dollars', [
        [1, 200, { Remarks: 'Bid 90 USD.' }],
        [1, 100, { Remarks: 'Bid 93 USD.', Instruction: { Status: 'InProgress' } }],
      ]),
      elected('cy', [[3, 80]]),
    ],
  })
}

function buyBack(issue: Issue): EventRecord {
  return issue.tell('BIDS', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-10),
    Record: issue.on(15),
    MaxPrice: issue.price(11.48),
    MaxQuantitySought: 190_000_000,
    EventIndicators: [indicator('Offer', 'PART', 'FCFS')],
    Narrative: 'The trust offers to buy back up to 15 % of its shares at net asset value less 2 %.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(16), ElectionPeriod: issue.period(-9, 18) },
      ['CASH', { Payment: issue.on(26), IsTaxable: true, CashMovements: [cashAt('GBP', 11.48)] }],
      ['NOAC'],
    ),
  })
}

function plannedBuyBack(issue: Issue): EventRecord {
  return issue.tell('BIDS', 'Voluntary', 'Preliminary', {
    EventStatus: 'Upcoming',
    AnnouncedDate: issue.day(-5),
    Effective: issue.on(60),
    MaxPrice: { Type: 'Percentage', Value: 98 },
    Narrative: 'The fund plans to buy back up to 10 % of its shares at 98 % of net asset value. Terms will follow.',
    Options: choices('NOAC', issue.deadlines(55), ['CASH', { OptionStatus: 'Unknown' }], ['NOAC']),
  })
}

function oddLots(issue: Issue): EventRecord {
  return issue.tell('ODLT', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-16),
    Record: issue.on(21),
    Narrative: 'Holders of fewer than 100 shares can sell all of them at 94.60 ZAR, or fill them up to 100.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(18), ElectionPeriod: issue.period(-6, 20), MaxExercisableQuantity: 99 },
      ['CASH', { Payment: issue.on(24), IsTaxable: true, CashMovements: [cashAt('ZAR', 94.6)] }],
      ['BUYA', { Payment: issue.on(24), CashRequired: true }],
      ['NOAC'],
    ),
  })
}

function withdrawnOffer(issue: Issue): EventRecord {
  return issue.tell('TEND', 'Voluntary', 'Withdrawn', {
    AnnouncedDate: issue.day(-80),
    Effective: issue.on(-35),
    EventStatus: 'Past',
    EventIndicators: [indicator('Offer', 'MINI')],
    Narrative: 'The bidder has withdrawn the offer. Shares that were offered have been released.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(-45), OptionStatus: 'Cancelled' },
      ['CASH', { CashMovements: [cashAt('EUR', 9.4)] }],
      ['NOAC'],
    ),
    Holdings: [elected('cy', [[1, 300, { Instruction: { Status: 'Rejected' } }]])],
  })
}

function cancelledOffer(issue: Issue): EventRecord {
  return issue.tell('EXOF', 'Voluntary', 'Cancelled', {
    AnnouncedDate: issue.day(-95),
    Effective: issue.on(-40),
    EventIndicators: [indicator('Offer', 'RCHD')],
    Narrative: 'The exchange offer of another bank did not reach the acceptance that it asked for.',
    Options: choices(
      'NOAC',
      issue.deadlines(-52),
      ['SECU', { SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 485, OldQuantity: 1000 }] }],
      ['NOAC'],
    ),
    Holdings: [elected('family', [[1, 300]])],
  })
}
