import type { EventRecord } from '../../events/import/schema.ts'
import { elected } from './accounts.ts'
import { choices, type Desk, type EventTypeCode, type Issue, type State } from './issue.ts'

/** Announced so many trading days ago; without it the meeting is only expected. */
type MeetingRow = readonly [
  symbol: string,
  type: Extract<EventTypeCode, 'BMET' | 'CMET' | 'MEET' | 'XMET'>,
  meeting: number,
  state: State,
  announced: number | undefined,
  agenda: string,
  holdings?: EventRecord['Holdings'],
]

const usual = '1. Accounts and report\n2. Use of the profit\n3. Discharge of the board\n4. Election of the auditor'

const meetings: MeetingRow[] = [
  [
    'NESN:xswx',
    'MEET',
    34,
    'Confirmed',
    -12,
    `${usual}\n5. Pay of the board and the management`,
    [elected('family', [[1, 320, { Remarks: 'All items as recommended.' }]])],
  ],
  [
    'NOVO-B:xcse',
    'XMET',
    14,
    'Approved',
    -9,
    '1. Election of members of the board',
    [elected('family', [[2, 150, {}]]), elected('bo', [[3, 40]])],
  ],
  ['AAPL:xnas', 'MEET', 75, 'Preliminary', undefined, 'The agenda is not known yet.'],
  [
    '7203:xtks',
    'MEET',
    -100,
    'Approved',
    -125,
    `${usual}\n5. Proposal of shareholders on the report on climate`,
    [elected('cyYen', [[2, 1000]])],
  ],
  ['RIO:xlon', 'XMET', 28, 'Confirmed', -2, '1. Approval of a transaction with a related company'],
  ['DANSKE:xcse', 'MEET', 85, 'Preliminary', undefined, usual],
  ['AKZA:xams', 'CMET', 40, 'Withdrawn', -50, '1. Scheme of arrangement\nThe meeting has been called off.'],
  ['SHEL-6.375-2038-12', 'BMET', 20, 'Confirmed', -7, '1. Change of the law that governs the bonds'],
]

const names = {
  BMET: 'A meeting of the holders of the bonds',
  CMET: 'A meeting ordered by the court',
  MEET: 'The annual general meeting',
  XMET: 'An extraordinary general meeting',
}

export function meetingEvents(desk: Desk): EventRecord[] {
  return meetings.map((row) => meeting(desk(row[0]), row))
}

/** Votes must be with the company a week before the meeting. */
function meeting(issue: Issue, row: MeetingRow): EventRecord {
  const [, type, day, state, announced, agenda, Holdings] = row
  const isOpen = state !== 'Withdrawn'
  return issue.tell(type, 'Voluntary', state, {
    ...(announced !== undefined && { AnnouncedDate: issue.day(announced) }),
    Effective: issue.on(day),
    Record: issue.on(day - 9),
    ...(announced === undefined && { EventStatus: 'Upcoming' }),
    Narrative: `${names[type]} is on ${issue.day(day)}. Agenda:\n${agenda}\n\nShares are not blocked for the vote.`,
    Options: choices(
      'NOAC',
      {
        ...issue.deadlines(day - 7),
        ElectionPeriod: issue.period(Math.min(announced ?? day - 20, day - 10), day - 5),
        ...(!isOpen && { OptionStatus: 'Cancelled' }),
      },
      ['MNGT'],
      ['AMGT'],
      ['ABST'],
      ['SPLI', { Narrative: 'Different votes for parts of the holding; tell us the numbers with your instruction.' }],
      ['NOAC'],
    ),
    ...(Holdings && { Holdings }),
  })
}
