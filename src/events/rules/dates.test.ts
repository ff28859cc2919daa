import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventDates, utcDay } from './dates.ts'

const at = (Date: string) => ({ Date })

test('the key date is the ex date, else effective, record, the earliest payment, the announcement', () => {
  const all = {
    Ex: at('2026-11-05'),
    Effective: at('2026-11-04'),
    Record: at('2026-11-03'),
    Options: [
      { OptionId: '1', Payment: at('2026-11-09') },
      { OptionId: '2', Payment: at('2026-11-02') },
    ],
    AnnouncedDate: '2026-11-01',
  }
  const { Ex, ...afterEx } = all
  const { Effective, ...afterEffective } = afterEx
  const { Record, ...afterRecord } = afterEffective
  const { Options, ...afterPayment } = afterRecord
  const keys = [all, afterEx, afterEffective, afterRecord, afterPayment, {}].map((event) => eventDates(event).keyDate)
  assert.deepEqual(keys, ['2026-11-05', '2026-11-04', '2026-11-03', '2026-11-02', '2026-11-01', null])
})

test('ignores a date that is only a status', () => {
  const { keyDate, exOn, startsOn, endsOn } = eventDates({ Ex: { Status: 'Unknown' }, Effective: at('2026-11-04') })
  assert.deepEqual([keyDate, exOn, startsOn, endsOn], ['2026-11-04', null, null, null])
})

test('an option whose deadline and payment have only a status has no such dates', () => {
  const Options = [{ OptionId: '1', Deadline: { Status: 'Ongoing' as const }, Payment: { Status: 'Unknown' as const } }]
  const { deadlines, payments, endsOn } = eventDates({ Options })
  assert.deepEqual([deadlines, payments, endsOn], [[], [], null])
})

test('starts at the first of announcement, ex date and election; ends at the last of ex date, payments and deadlines', () => {
  const event = {
    AnnouncedDate: '2026-11-10',
    Ex: at('2026-11-12'),
    Options: [
      { OptionId: '1', ElectionPeriod: { Start: at('2026-11-08') }, Deadline: at('2026-11-30T23:30:00-02:00') },
      {
        OptionId: '2',
        ElectionPeriod: { End: at('2026-11-09') },
        Payment: at('2026-11-20'),
        Deadline: at('2026-11-30'),
      },
    ],
  }
  const { startsOn, endsOn } = eventDates(event)
  assert.deepEqual([startsOn, endsOn], ['2026-11-08', '2026-12-01'])
})

test('lists deadlines and payments as unique days, in order', () => {
  const { deadlines, payments } = eventDates({
    Options: [
      { OptionId: '1', Deadline: at('2026-11-20T10:00:00Z'), Payment: at('2026-12-02') },
      { OptionId: '2', Deadline: at('2026-11-20T16:00:00Z'), Payment: at('2026-12-01') },
      { OptionId: '3', Deadline: at('2026-11-19T16:00:00Z') },
    ],
  })
  assert.deepEqual(deadlines, ['2026-11-19', '2026-11-20'])
  assert.deepEqual(payments, ['2026-12-01', '2026-12-02'])
})

test('days are in UTC', () => {
  assert.equal(utcDay('2026-11-15T23:59:59Z'), '2026-11-15')
  assert.equal(utcDay('2026-11-15T23:59:59-00:01'), '2026-11-16')
})
