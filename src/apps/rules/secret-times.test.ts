import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfTimes } from './secret-times.ts'

const now = Temporal.Instant.from('2026-03-01T12:00:00Z')
const past = 'Must be in the future.'
const reversed = 'Must be after ValidFrom.'
const tooLong = 'Must be at most two years after ValidFrom.'

/** Contract §8: the end lies in the future and at most two years after the beginning, which may be past or future. */
const table: [what: string, validFrom: string, validUntil: string, reasons: string[]][] = [
  ['a year from now', '2026-03-01T12:00:00Z', '2027-03-01T12:00:00Z', []],
  ['the shortest there is', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000001Z', []],
  ['begun long ago', '2024-03-02T00:00:00Z', '2026-03-02T00:00:00Z', []],
  ['to begin in ten years', '2036-01-01T00:00:00Z', '2038-01-01T00:00:00Z', []],
  ['two years to the microsecond', '2026-03-01T12:00:00Z', '2028-03-01T12:00:00Z', []],
  ['a microsecond over two years', '2026-03-01T12:00:00Z', '2028-03-01T12:00:00.000001Z', [tooLong]],
  ['two years over a leap day', '2027-03-01T00:00:00Z', '2029-03-01T00:00:00Z', []],
  ['from a leap day to the last of February', '2028-02-29T00:00:00Z', '2030-02-28T00:00:00Z', []],
  ['from a leap day to the first of March', '2028-02-29T00:00:00Z', '2030-03-01T00:00:00Z', [tooLong]],
  ['the end of time', '9998-12-31T00:00:00Z', '9999-12-31T23:59:59Z', []],
  ['over now', '2026-01-01T00:00:00Z', '2026-03-01T12:00:00Z', [past]],
  ['over a year ago', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', [past]],
  ['over long ago, after many years', '2000-01-01T00:00:00Z', '2025-01-01T00:00:00Z', [past, tooLong]],
  ['of no length', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', [reversed]],
  ['of no length, in two zones', '2026-04-01T02:00:00+02:00', '2026-04-01T00:00:00Z', [reversed]],
  ['back to front', '2027-01-01T00:00:00Z', '2026-12-31T00:00:00Z', [reversed]],
  ['back to front and over', '2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z', [past, reversed]],
]

for (const [what, validFrom, validUntil, reasons] of table)
  test(`a secret that is ${what} is ${reasons.length === 0 ? 'fine' : 'refused'}`, () => {
    const times = { validFrom: Temporal.Instant.from(validFrom), validUntil: Temporal.Instant.from(validUntil) }
    assert.deepEqual(faultsOfTimes(times, now), reasons.length === 0 ? {} : { ValidUntil: reasons })
  })
