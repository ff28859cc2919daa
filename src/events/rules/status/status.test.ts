import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, Holding } from '../../api/schema.ts'
import { dueEvents, needsDecision, statusOf } from './status.ts'
import { describeStatus, optionText } from './texts.ts'

const now = Temporal.Instant.from('2026-11-15T12:00:00Z')
const dates = { short: (at: string) => at.slice(5, 10), long: (at: string) => at.slice(0, 10) }
const ahead = { Date: '2026-12-03T12:00:00Z' }
const over = { Date: '2026-11-01T12:00:00Z' }
const exercise = { OptionId: '001', OptionType: { Code: 'EXER', Name: 'Exercise' } }
const lapse = { OptionId: '002', OptionType: { Code: 'LAPS' }, IsDefault: true }
const cash = { CashMovements: [{ CashMovementType: 'Credit' as const, Amount: 2 }] }
const shares = { SecurityMovements: [{ SecurityMovementType: 'Credit' as const, NewQuantity: 2 }] }

const event = (more: Partial<Event>): Event =>
  ({ EventState: 'Confirmed', EventStatus: 'Active', Electable: 'NotElectable', ...more }) as Event
const electable = (ElectionStatus: Event['ElectionStatus'], more: Partial<Event>): Event =>
  event({ Electable: 'Electable', ElectionStatus, ...more } as Partial<Event>)
const holding = (more: Partial<Holding>): Holding => ({ AccountId: 'A', Amount: 10, ...more }) as Holding
const auto = (OptionId: string) => holding({ Options: [{ OptionId, ElectedAmount: 10, ElectionType: 'Auto' }] })

const open = [{ ...exercise, Deadline: ahead }, lapse]
const closed = [{ ...exercise, Deadline: over }, lapse]
const standing = holding({ StandingInstructionStatus: 'Created' })
const byHand = holding({ Options: [{ OptionId: '001', ElectedAmount: 10, ElectionType: 'Auto', ElectedBy: 'ada' }] })

/** Each event, the label of its status, and a part of the explanation. */
const cases: readonly (readonly [label: string, explanation: RegExp, event: Event])[] = [
  ['Withdrawn', /was withdrawn: nothing/, electable('NotElected', { EventState: 'Withdrawn', Options: open })],
  ['Cancelled', /was cancelled: nothing/, electable('Elected', { EventState: 'Cancelled', EventStatus: 'Past' })],
  ['Complete', /Everything has been booked/, event({ EventState: 'Complete' })],
  [
    'Lapsed',
    /was never confirmed/,
    event({ EventState: 'Preliminary', EventStatus: 'Past', Options: [{ ...lapse, ...cash, Payment: over }] }),
  ],
  ['Lapsed', /was never confirmed/, electable('NotElected', { EventState: 'Preliminary', EventStatus: 'Past' })],
  ['Past', /have passed/, event({ EventStatus: 'Past' })],
  [
    'Paid',
    /It was paid on 2026-11-10/,
    event({ EventStatus: 'Past', Options: [{ ...lapse, ...cash, Payment: { Date: '2026-11-10' } }] }),
  ],
  ['Elected', /elected for all/, electable('Elected', { EventStatus: 'Past', Options: closed })],
  [
    'Elected',
    /elected for all/,
    electable('Elected', { EventState: 'Preliminary', EventStatus: 'Past', Options: closed }),
  ],
  ['Default applies', /gets option 2 LAPS/, electable('NotElected', { EventStatus: 'Past', Options: closed })],
  [
    'Decide by 12-03',
    /^Elect by 2026-12-03, or you get option 2 LAPS, the default\.$/,
    electable('NotElected', { Options: open }),
  ],
  [
    'Decide by 12-03',
    /^You have elected for a part of what you hold\. .* Some options stay open longer\. Not confirmed yet/,
    electable('PartialElected', {
      EventState: 'Preliminary',
      Options: [...open, { OptionId: '3', Deadline: { Date: '2026-12-10' } }],
    }),
  ],
  [
    'Opens 11-20',
    /elected from 2026-11-20/,
    electable('NotElected', {
      Options: [{ ...exercise, Deadline: ahead, ElectionPeriod: { Start: { Date: '2026-11-20' } } }],
    }),
  ],
  ['Open', /No deadline is set; without an election you get nothing/, electable('NotElected', { Options: [exercise] })],
  ['Elected', /elected for all/, electable('Elected', { Options: open })],
  ['Elected', /elected for all/, electable('Elected', { Options: closed, Holdings: [byHand, holding({})] })],
  ['Elected', /elected for all/, electable('Elected', { Options: closed })],
  [
    'Standing instruction applies',
    /unless you do by 2026-12-03\.$/,
    electable('NotElected', { Options: open, Holdings: [standing] }),
  ],
  [
    'Standing instruction applies',
    /unless you do\.$/,
    electable('NotElected', { Options: [exercise], Holdings: [standing] }),
  ],
  ['Decide by 12-03', /^Elect by/, electable('NotElected', { Options: open, Holdings: [standing, holding({})] })],
  [
    'Standing instruction applied',
    /elected what you had not/,
    electable('Elected', { Options: closed, Holdings: [auto('001')] }),
  ],
  [
    'Default applied',
    /What was not elected got option 2 LAPS/,
    electable('Elected', { Options: closed, Holdings: [auto('002')] }),
  ],
  ['Default applies', /What was not elected gets option 2 LAPS/, electable('NotElected', { Options: closed })],
  [
    'Decide by 12-03',
    /^Elect by 2026-12-03, or you get option 2 LAPS, the default\.$/,
    electable('NotElected', { Options: [{ ...exercise, ElectionPeriod: { End: ahead } }, lapse] }),
  ],
  [
    'Decide by 12-03',
    /^Elect by 2026-12-03/,
    electable('NotElected', { Options: [...closed, { OptionId: '3', ElectionPeriod: { End: ahead } }] }),
  ],
  [
    'Default applies',
    /^The deadline was 2026-11-01\. What was not elected gets option 2 LAPS/,
    electable('NotElected', { Options: [{ ...exercise, ElectionPeriod: { End: over } }, lapse] }),
  ],
  [
    'Paid',
    /It was paid on 2026-11-10/,
    electable('NotElected', {
      EventState: 'Approved',
      EventStatus: 'Past',
      Options: [{ ...lapse, ...cash, ElectionPeriod: { End: over }, Payment: { Date: '2026-11-10' } }],
    }),
  ],
  ['Missed', /no option is the default/, electable('PartialElected', { Options: closed.slice(0, 1) })],
  [
    'Paid',
    /It was paid on 2026-11-10/,
    electable('NotElected', { Options: [{ ...lapse, ...cash, Deadline: over, Payment: { Date: '2026-11-10' } }] }),
  ],
  ['Ex 11-15', /ex date is 2026-11-15/, event({ Ex: { Date: '2026-11-15' }, Effective: ahead })],
  ['Effective 12-03', /takes effect on 2026-12-03/, event({ Ex: over, Effective: ahead })],
  [
    'Pays 11-20',
    /The payment is booked on 2026-11-20/,
    event({ Options: [{ ...lapse, ...cash, Payment: { Date: '2026-11-20' } }] }),
  ],
  [
    'Books 11-20',
    /Securities are booked on/,
    event({ Options: [{ ...lapse, ...shares, Payment: { Date: '2026-11-20' } }] }),
  ],
  [
    'Booked',
    /Securities were booked on 2026-11-10/,
    event({
      EventState: 'Approved',
      EventStatus: 'Past',
      Options: [{ ...lapse, ...shares, Payment: { Date: '2026-11-10' } }],
    }),
  ],
  [
    'Upcoming',
    /^None of its dates has come yet\. Not confirmed/,
    event({ EventState: 'Preliminary', EventStatus: 'Upcoming' }),
  ],
  ['Past', /have passed/, event({ EventState: 'Approved', EventStatus: 'Past', Ex: ahead })],
  ['Active', /under way/, event({ Ex: { Date: '9999-12-31' } })],
]

test('every event has one status, with an explanation', () => {
  for (const [label, explanation, each] of cases) {
    const status = describeStatus(each, now, dates)
    assert.equal(status.label, label)
    assert.match(status.explanation, explanation, label)
  }
})

test('the status contradicts neither EventStatus nor ElectionStatus', () => {
  for (const [label, , each] of cases) {
    const { progress } = statusOf(each, now)
    if (progress === 'Upcoming' || progress === 'Past' || progress === 'Active')
      assert.equal(each.EventStatus, progress, label)
    if (progress === 'Elected' || progress.endsWith('Applied')) assert.equal(each.ElectionStatus, 'Elected', label)
    if (progress === 'Decide' || progress === 'Missed') assert.notEqual(each.ElectionStatus, 'Elected', label)
    if (each.EventStatus === 'Past') assert.match(progress, /Cancelled|Lapsed|Paid|Past|Elected|Default/, label)
  }
})

test('only an open election with a deadline needs a decision, earliest first', () => {
  const later = electable('NotElected', {
    EventId: 'later',
    Options: [{ ...exercise, Deadline: { Date: '2026-12-10' } }],
  })
  const all = [later, ...cases.map(([, , each]) => each)]
  const due = dueEvents(all, now)
  assert.deepEqual(
    due.map(({ at }) => at.slice(0, 10)),
    ['2026-12-03', '2026-12-03', '2026-12-03', '2026-12-03', '2026-12-03', '2026-12-10'],
  )
  assert.equal(due.length, all.filter((each) => needsDecision(each, now)).length)
})

test('an option is named by its id and its type, as far as known', () => {
  assert.deepEqual([exercise, lapse, { OptionId: '000' }].map(optionText), ['1 Exercise', '2 LAPS', '0'])
})
