import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offsetAt, wallClock } from './wall-clock.ts'

const zones = ['UTC', 'America/New_York', 'Europe/Copenhagen', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Monrovia']
const centres = [
  '1960-03-01T00:00Z',
  '1972-01-07T00:44:29.5Z',
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2027-01-01T00:00Z',
]

/** Around each moment, forward and back, so that remembered offsets are used before and after a change of clocks. */
const moments = [...centres, ...centres.toReversed()].flatMap((centre) =>
  [-86_400_000, -1_800_000, -1, 0, 1, 999, 3_600_000, 86_399_999, -1].map((ms) =>
    Temporal.Instant.from(centre).add({ milliseconds: ms }),
  ),
)

test('shows the date and time that Temporal does, before and after clocks change', () => {
  for (const zone of zones)
    for (const at of moments) {
      const { date, dayNumber, hour, minute, second } = wallClock(at, zone)

      const expected = at.toZonedDateTimeISO(zone)
      assert.equal(
        `${date}T${date.toPlainDateTime({ hour, minute, second }).toPlainTime()}`,
        `${expected.toPlainDate()}T${expected.toPlainTime().round({ smallestUnit: 'second', roundingMode: 'floor' })}`,
        `${at} in ${zone}`,
      )
      assert.equal(dayNumber, Temporal.PlainDate.from('1970-01-01').until(date).days)
      assert.equal(offsetAt(at, zone), expected.offsetNanoseconds / 1e6)
    }
})

test('rejects an unknown zone', () => {
  assert.throws(() => wallClock(Temporal.Instant.from('2026-01-01T00:00Z'), 'No/Where'), RangeError)
})
