import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import type { EventFilters } from '../api/schema.ts'
import { dayRanges, keywordsOf } from './filters.ts'

const none: EventFilters = { IncludeLapsedEvents: false, IncludeSubAccounts: false }
const open = { from: undefined, to: undefined }

test('a range may be open at either end, or a single day', () => {
  const { Ex, Pay, Record, Deadline } = dayRanges({
    ...none,
    FromExDate: '2026-11-15',
    ToPayDate: '2026-11-16',
    FromRecordDate: '2026-11-17',
    ToRecordDate: '2026-11-17',
  })
  assert.deepEqual(Ex, { from: '2026-11-15', to: undefined })
  assert.deepEqual(Pay, { from: undefined, to: '2026-11-16' })
  assert.deepEqual(Record, { from: '2026-11-17', to: '2026-11-17' })
  assert.deepEqual(Deadline, open)
})

test('rejects all ranges that end before they begin, together', () => {
  const wrong = {
    ...none,
    FromExDate: '2026-11-16',
    ToExDate: '2026-11-15',
    FromDeadlineDate: '2027-01-01',
    ToDeadlineDate: '2026-12-31',
    FromPayDate: '2026-01-01',
    ToPayDate: '2026-01-02',
  }
  assert.throws(
    () => dayRanges(wrong),
    (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual(error.modelState, {
        FromDeadlineDate: ['Must not be after ToDeadlineDate.'],
        FromExDate: ['Must not be after ToExDate.'],
      })
      return true
    },
  )
})

test('splits keywords into unique lower-case words', () => {
  assert.deepEqual(keywordsOf(' Vestas  vestas\tDK '), ['vestas', 'dk'])
  assert.deepEqual(keywordsOf('   '), [])
  assert.deepEqual(keywordsOf(undefined), [])
})
