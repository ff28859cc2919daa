import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSecretTimes } from './secret-times.ts'

const now = Temporal.Instant.from('2026-03-01T12:00:00Z')
const past = 'Must be in the future.'
const reversed = 'Must be after ValidFrom.'
const tooLong = 'Must be at most two years after ValidFrom.'

/** §8.4: the end is in the future and at most two years after the start, which may be in the past or future. */
const table: [what: string, validFrom: string, validUntil: string, reasons: string[]][] = [
  ['valid for a year', '2026-03-01T12:00:00Z', '2027-03-01T12:00:00Z', []],
  ['valid for a microsecond', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000001Z', []],
  ['started long ago', '2024-03-02T00:00:00Z', '2026-03-02T00:00:00Z', []],
  ['starting in ten years', '2036-01-01T00:00:00Z', '2038-01-01T00:00:00Z', []],
  ['valid for exactly two years', '2026-03-01T12:00:00Z', '2028-03-01T12:00:00Z', []],
  ['valid a microsecond longer than two years', '2026-03-01T12:00:00Z', '2028-03-01T12:00:00.000001Z', [tooLong]],
  ['valid for two years over a leap day', '2027-03-01T00:00:00Z', '2029-03-01T00:00:00Z', []],
  ['valid from a leap day to 28 February', '2028-02-29T00:00:00Z', '2030-02-28T00:00:00Z', []],
  ['valid from a leap day to 1 March', '2028-02-29T00:00:00Z', '2030-03-01T00:00:00Z', [tooLong]],
  ['valid until the end of the year 9999', '9998-12-31T00:00:00Z', '9999-12-31T23:59:59Z', []],
  ['ending now', '2026-01-01T00:00:00Z', '2026-03-01T12:00:00Z', [past]],
  ['ended a year ago', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', [past]],
  ['ended long ago, after many years', '2000-01-01T00:00:00Z', '2025-01-01T00:00:00Z', [past, tooLong]],
  ['of no length', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', [reversed]],
  ['of no length, in two zones', '2026-04-01T02:00:00+02:00', '2026-04-01T00:00:00Z', [reversed]],
  ['ending before it starts', '2027-01-01T00:00:00Z', '2026-12-31T00:00:00Z', [reversed]],
  ['ended, and before it starts', '2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z', [past, reversed]],
]

for (const [what, validFrom, validUntil, reasons] of table)
  test(`a secret ${what} is ${reasons.length === 0 ? 'accepted' : 'rejected'}`, () => {
    const times = { validFrom: Temporal.Instant.from(validFrom), validUntil: Temporal.Instant.from(validUntil) }
    assert.deepEqual(checkSecretTimes(times, now), reasons.length === 0 ? {} : { ValidUntil: reasons })
  })
