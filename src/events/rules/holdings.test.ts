import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, stock1 } from '../../../test/support/events/event-facts.ts'
import { type AccountRow, accountHoldings, type ElectionRow, type PeriodRow, totalHoldings } from './holdings.ts'

const today = '2026-11-15'
const moment = { today, nowMs: Temporal.Instant.from(`${today}T00:00:00Z`).epochMilliseconds }
type Records = [from: string, until: string, amount: number][]
const account = (id: string, records: Records, elections: AccountRow[3] = null): AccountRow => {
  return [`key ${id}`, id, records.map((record) => [1, 'Stock', ...record] as const), elections, null]
}
const always = (amount: number): Records => [['-infinity', 'infinity', amount]]
const appliedTo = (rows: AccountRow[], recordOn: string | null) =>
  accountHoldings(rows).get(stock1)?.applied(eventFacts({ recordOn }), moment)
const amounts = (rows: AccountRow[], recordOn: string | null) =>
  appliedTo(rows, recordOn)?.holdings?.map(({ account: { id }, amount }) => [id, amount])

test('§7.1: an event applies to what is held today, in the order of the rows', () => {
  const rows = [
    account('a', always(10)),
    account('b', [[today, '2026-11-16', -5]]),
    account('c', [['2026-11-16', 'infinity', 7]]),
  ]
  assert.deepEqual(amounts(rows, null), [
    ['a', 10],
    ['b', -5],
  ])
  const { affected, eligible, size, elected } = appliedTo(rows, null) ?? assert.fail()
  assert.deepEqual([affected, eligible, size, elected], [2, 5, 15, 0])
  assert.equal(accountHoldings(rows).get('Stock 2'), undefined)
})

test('§7.1: the totals of one account are its own, without their signs', () => {
  const rows = [account('a', always(-5), [['1', -3, null]])]
  const event = eventFacts({ eventId: '1', recordOn: null })
  const { affected, eligible, size, elected } =
    accountHoldings(rows).get(stock1)?.applied(event, moment) ?? assert.fail()
  assert.deepEqual([affected, eligible, size, elected], [1, -5, 5, 3])
})

test('§7.1: after a past record date the holding of that day counts; who bought later appears with 0', () => {
  const rows = [
    account('sold', [['-infinity', '2026-11-12', 10]]),
    account('bought', [['2026-11-13', 'infinity', 20]]),
    account('both', [
      ['-infinity', '2026-11-12', 30],
      ['2026-11-12', 'infinity', 40],
    ]),
    account('neither', [['2026-11-12', '2026-11-14', 50]]),
  ]
  assert.deepEqual(amounts(rows, '2026-11-11'), [
    ['sold', 10],
    ['bought', 0],
    ['both', 30],
  ])
  for (const recordOn of [today, '2026-12-01', null])
    assert.deepEqual(amounts(rows, recordOn), [
      ['bought', 20],
      ['both', 40],
    ])
  assert.equal(appliedTo([account('none', always(0))], null), undefined)
  assert.equal(accountHoldings([['key', 'empty', null, null, null]]).size, 0)
})

test('elections of the event count, without sign in the total', () => {
  const rows = [
    account('a', always(-10), [
      ['E1', -4, null],
      ['E2', 10, null],
    ]),
    account('b', always(5), [['E1', 5, { Options: [] }]]),
    account('c', always(0), [['E1', 3, null]]),
  ]
  const { elected, holdings } = appliedTo(rows, null) ?? assert.fail()
  assert.equal(elected, 9)
  assert.deepEqual(
    holdings?.map((one) => [one.elected, one.elections]),
    [
      [-4, null],
      [5, { Options: [] }],
    ],
  )
})

test('totals of many accounts: the same amounts, accounts and elections from periods', () => {
  const periods: PeriodRow[] = [
    // Two accounts since ever, one since two days ago; one account sold, one changed its amount.
    [1, 'Stock', '-infinity', 'infinity', true, 2, 30, 40],
    [1, 'Stock', '2026-11-13', 'infinity', true, 1, 5, 5],
    [1, 'Stock', '-infinity', '2026-11-12', false, 1, 7, 7],
    [1, 'Stock', '-infinity', '2026-11-13', true, 1, 100, 100],
    [2, 'Stock', '-infinity', '2026-11-12', false, 1, 1, 1],
  ]
  const elections: ElectionRow[] = [
    ['E1', '-infinity', 'infinity', true, 30],
    ['E1', '-infinity', '2026-11-12', false, 7],
    ['E1', '-infinity', '2026-11-13', true, 5],
    ['E2', '-infinity', 'infinity', true, 1],
  ]
  const holdings = totalHoldings(periods, elections)
  const on = (recordOn: string | null, eventId = 'E1') =>
    holdings.get(stock1)?.applied(eventFacts({ recordOn, eventId }), moment)
  assert.deepEqual(on(null), { affected: 3, eligible: 35, size: 45, elected: 30 })
  assert.deepEqual(on('2026-11-11'), { affected: 4, eligible: 137, size: 147, elected: 37 })
  assert.deepEqual(on('2026-11-12'), { affected: 3, eligible: 130, size: 140, elected: 30 })
  assert.deepEqual(on(null, 'E3'), { affected: 3, eligible: 35, size: 45, elected: 0 })
  assert.equal(holdings.get('Stock 2')?.applied(eventFacts({ uic: 2 }), moment), undefined)
})

const closing = {
  lastMs: Temporal.Instant.from('2026-11-14T00:00:00Z').epochMilliseconds,
  defaultOption: '1',
  byType: new Map([['SECU', '2']]),
}

test('after the last deadline everything is elected, by default or as a standing instruction says', () => {
  const event = eventFacts({ eventType: 'DVOP', isElectable: true, closing })
  const [key, id, positions] = account('a', always(10))
  const rows: AccountRow[] = [
    account('b', always(5)),
    [key, id, positions, null, [[1, 'Stock', 'SECU', 0, null]]],
    // Of another instrument.
    [key, id, positions, null, [[2, 'Stock', 'SECU', 0, null]]],
  ]
  const applied = accountHoldings(rows).get(stock1)?.applied(event, moment)
  assert.deepEqual(
    applied?.holdings?.map(({ elections }) => elections?.Options?.map(({ OptionId }) => OptionId)),
    [['1'], ['2'], ['1']],
  )
  assert.deepEqual([applied?.size, applied?.elected], [25, 25])
  const period: PeriodRow = [1, 'Stock', '-infinity', 'infinity', true, 2, 15, 15]
  const elected = (nowMs: number) => totalHoldings([period], []).get(stock1)?.applied(event, { today, nowMs })?.elected
  assert.deepEqual([elected(closing.lastMs), elected(moment.nowMs)], [0, 15])
})

test('an instrument was held if an account holds it today or held it before', () => {
  const wasHeld = (...records: Records) =>
    accountHoldings([account('a', records)])
      .get(stock1)
      ?.wasHeld(today)
  assert.equal(wasHeld(['-infinity', 'infinity', 1]), true)
  assert.equal(wasHeld(['2020-01-01', '2020-01-02', -1], ['2020-01-02', 'infinity', 0]), true)
  assert.equal(wasHeld(['-infinity', 'infinity', 0]), false)
  assert.equal(wasHeld(['2026-11-16', 'infinity', 1]), false)
  const row: PeriodRow = [1, 'Stock', '2020-01-01', 'infinity', true, 1, 1, 1]
  assert.equal(totalHoldings([row], []).get(stock1)?.wasHeld(today), true)
})
