import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type Issue, indicator } from './issue.ts'

/** Papers, taxes, courts and news. */
export function noticeEvents(desk: Desk): EventRecord[] {
  return [
    taxReclaim(desk('ROG:xswx')),
    taxRelief(desk('SAN:xpar')),
    classAction(desk('BA:xnys')),
    disclosure(desk('SAP:xetr')),
    information(desk('TSLA:xnas')),
    informationOfCfds(desk('TSLA:xnas')),
    cancelledInformation(desk('MSFT:xnas')),
  ]
}

function taxReclaim(issue: Issue): EventRecord {
  return issue.tell('TREC', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-45),
    Ex: issue.on(-160),
    Record: issue.on(-159),
    ClaimPeriod: issue.period(-45, 40),
    EventIndicators: [indicator('AdditionalBusinessProcess', 'TAXR')],
    Narrative:
      'Of the Swiss withholding tax of 35 % on the last dividend, 20 % can be claimed back under most tax treaties.\n' +
      'We file the claim for you with a certificate of residence.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(33, 7), ElectionPeriod: issue.period(-45, 40) },
      [
        'TAXI',
        {
          GrossRate: 9.7,
          NetRate: 8.245,
          OptionIndicators: [indicator('CertificationBreakdown', 'PAPW')],
          CashMovements: [{ CashMovementType: 'Credit', Currency: 'CHF', PriceType: 'Actual', Amount: 1.94 }],
        },
      ],
      ['NOAC'],
    ),
    Holdings: [elected('family', [[1, 60]])],
  })
}

function taxRelief(issue: Issue): EventRecord {
  return issue.tell('WTRC', 'Voluntary', 'Confirmed', {
    AnnouncedDate: issue.day(-4),
    Ex: issue.on(31),
    Record: issue.on(32),
    EventIndicators: [indicator('CertificationBreakdown', 'TRBD')],
    Narrative: 'Holders who certify where they live before the payment have 15 % withheld in place of 25 %.',
    Options: choices(
      'NOAC',
      { ...issue.deadlines(21, 4), Payment: issue.on(33) },
      ['TAXI', { GrossRate: 3.92, NetRate: 3.332 }],
      ['QINV', { GrossRate: 3.92, NetRate: 3.92, Narrative: 'Pension funds that are exempt.' }],
      ['NOAC', { GrossRate: 3.92, NetRate: 2.94 }],
    ),
    Holdings: [elected('dee', [[2, 500]])],
  })
}

function classAction(issue: Issue): EventRecord {
  return issue.tell('CLSA', 'Voluntary', 'Approved', {
    AnnouncedDate: issue.day(-55),
    EventStatus: 'Active',
    ClaimPeriod: { Start: issue.on(-700), End: { Status: 'Ongoing' } },
    Narrative:
      'A settlement for those who bought shares in the claim period. What each gets depends on how many take part.\n' +
      'Who does nothing stays bound by the settlement and is paid nothing.',
    Options: choices(
      'NOAC',
      issue.deadlines(50, 5),
      ['PRUN', { Narrative: 'Take part. We need the trades of the claim period.' }],
      ['OTHR', { Narrative: 'Opt out, to keep the right to sue on your own.' }],
      ['NOAC'],
    ),
    Holdings: [elected('dollars', [[1, 40]])],
  })
}

function disclosure(issue: Issue): EventRecord {
  return issue.tell('DSCL', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-3),
    Record: issue.on(-5),
    EventIndicators: [indicator('CertificationBreakdown', 'FULL')],
    Narrative: 'The company asks who its shareholders are, as the law allows. We have answered; nothing is to be done.',
  })
}

function information(issue: Issue): EventRecord {
  return issue.tell('INFO', 'Mandatory', 'Approved', {
    AnnouncedDate: issue.day(-2),
    Narrative: 'The company has published its report on the quarter. <a href="https://www.sec.gov/">Filings</a>',
  })
}

function informationOfCfds(issue: Issue): EventRecord {
  return issue.tell(
    'INFO',
    'Mandatory',
    'Approved',
    { AnnouncedDate: issue.day(-2), Narrative: 'Margins of contracts for difference are raised around the report.' },
    { as: 'CfdOnStock' },
  )
}

function cancelledInformation(issue: Issue): EventRecord {
  return issue.tell('INFO', 'Mandatory', 'Cancelled', {
    AnnouncedDate: issue.day(-1),
    Narrative: 'Sent in error. Please disregard.',
  })
}
