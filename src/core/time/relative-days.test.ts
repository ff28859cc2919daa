import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay } from './days.ts'
import { resolveDay, resolveMoment, takeSteps } from './relative-days.ts'

const closed = new Set(['2026-11-18', '2026-11-20'].map(epochDay))
const resolve = (text: string, today = '2026-11-18') => resolveDay(text, epochDay(today), new Map([['NYSE', closed]]))

function resolvesTo(cases: Record<string, string>, today?: string): void {
  for (const [text, expected] of Object.entries(cases))
    assert.deepEqual(resolve(text, today), { text: expected }, `${text} on ${today}`)
}

test('counts days, months and years from the day of loading', () => {
  resolvesTo({
    '@': '2026-11-18',
    '@+12': '2026-11-30',
    '@-18': '2026-10-31',
    '@+1m': '2026-12-18',
    '@-1y': '2025-11-18',
    '@+13+1m': '2027-01-01',
  })
  resolvesTo({ '@+1m': '2027-02-28', '@+1m+1m': '2027-03-28' }, '2027-01-31')
})

test('counts business days, Monday to Friday', () => {
  resolvesTo({
    '@-2b': '2026-11-16',
    '@-1b': '2026-11-17',
    '@+0b': '2026-11-18',
    '@+1b': '2026-11-19',
    '@+3b': '2026-11-23',
  })
})

test('moves from a weekend to the next business day, or back to the one before, and counts from there', () => {
  for (const today of ['2026-11-14', '2026-11-15'])
    resolvesTo(
      {
        '@-1b': '2026-11-12',
        '@-0b': '2026-11-13',
        '@+0b': '2026-11-16',
        '@+1b': '2026-11-17',
        '@-0b-1b': '2026-11-12',
      },
      today,
    )
})

test('skips the holidays of an exchange', () => {
  resolvesTo({
    '@NYSE-1b': '2026-11-16',
    '@NYSE-0b': '2026-11-17',
    '@NYSE+0b': '2026-11-19',
    '@NYSE+1b': '2026-11-23',
  })
})

test('finds days of a month', () => {
  resolvesTo({
    '@/1': '2026-11-01',
    '@/15': '2026-11-15',
    '@/end': '2026-11-30',
    '@/31': '2026-11-30',
    '@/0': '2026-11-01',
    '@/1mon': '2026-11-02',
    '@/3fri': '2026-11-20',
    '@NYSE/3fri-0b': '2026-11-19',
    '@/end<mon': '2026-11-30',
    '@+1m/end<fri': '2026-12-25',
    '@+1m/24>thu': '2026-12-24',
    '@/19>sun': '2026-11-22',
  })
})

test('knows the weekdays before 1970', () => {
  assert.equal(dayText(takeSteps(epochDay('1969-07-20'), '+0b')), '1969-07-21')
})

test('adds a time of day in UTC', () => {
  resolvesTo({
    '@T09:30Z': '2026-11-18T09:30:00Z',
    '@+1T16:00:30Z': '2026-11-19T16:00:30Z',
    '@NYSE+1bT16:00Z': '2026-11-23T16:00:00Z',
  })
})

test('explains what is not a relative day', () => {
  const wrong = ['@+12x', '@+', '@ +1', '@+1T16:00', '@+1Z', '@+1T25:00Z', '@+1:30Z', '@+1:30', '@/6fri', '@+99999']
  for (const text of wrong) {
    const resolved = resolve(text)
    assert.ok('reason' in resolved && /^Must be a date or a relative day: @\+12 /.test(resolved.reason), text)
  }
  assert.deepEqual(resolve('@NASDAQ+1b'), {
    reason: 'There is no exchange NASDAQ. Import an exchange before the records that name it.',
  })
  assert.deepEqual(resolve('@NYS+1b'), {
    reason: 'There is no exchange NYS. Did you mean NYSE? Import an exchange before the records that name it.',
  })
})

test('takes a bounded number of steps', () => {
  assert.ok('reason' in resolve(`@${'+9999y'.repeat(9)}`))
})

test('counts minutes and hours from the time of loading, in whole seconds', () => {
  const now = Temporal.Instant.from('2026-11-18T23:30:15.999Z')
  for (const [text, expected] of Object.entries({
    '@now': '2026-11-18T23:30:15Z',
    '@now+45min': '2026-11-19T00:15:15Z',
    '@now-2h': '2026-11-18T21:30:15Z',
    '@now+1': undefined,
    '@now+2b': undefined,
    '@+1': undefined,
  }))
    assert.equal(resolveMoment(text, now), expected, text)
})
