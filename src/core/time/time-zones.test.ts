import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZoneAbbreviation, timeZoneIdOf, timeZoneName, timeZoneOffset, wireTimeZoneId } from './time-zones.ts'

const january = Temporal.Instant.from('2027-01-15T12:00:00Z')
const july = Temporal.Instant.from('2027-07-15T12:00:00Z')

test('known zones have their documented ids, also under another spelling', () => {
  const named = ['Etc/UTC', 'Europe/London', 'Asia/Singapore', 'America/New_York', 'Europe/Paris', 'America/Chicago']
  named.forEach((zone, id) => {
    assert.equal(timeZoneIdOf(zone), id)
    assert.equal(wireTimeZoneId(zone), id)
  })
  assert.equal(timeZoneIdOf('UTC'), 0)
  assert.equal(timeZoneIdOf('US/Eastern'), 3)
})

test('an unlisted zone has a unique number that never changes', () => {
  assert.equal(timeZoneIdOf('Asia/Kathmandu'), undefined)
  assert.equal(wireTimeZoneId('Asia/Kathmandu'), wireTimeZoneId('Asia/Kathmandu'))
  assert.equal(wireTimeZoneId('Asia/Kathmandu'), 729_509_628)
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')
  assert.ok(zones.length > 400)
  assert.equal(new Set(zones.map(wireTimeZoneId)).size, zones.length)
})

test('the abbreviation follows the season, in both hemispheres', () => {
  const expected: [zone: string, january: string, july: string][] = [
    ['America/New_York', 'EST', 'EDT'],
    ['America/Chicago', 'CST', 'CDT'],
    ['America/Toronto', 'EST', 'EDT'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Berlin', 'CET', 'CEST'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Hong_Kong', 'HKT', 'HKT'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['America/Sao_Paulo', 'BRT', 'BRT'],
    ['UTC', 'UTC', 'UTC'],
  ]
  for (const [zone, winter, summer] of expected)
    assert.deepEqual([timeZoneAbbreviation(zone, january), timeZoneAbbreviation(zone, july)], [winter, summer], zone)
})

test('a zone without an abbreviation is GMT and its offset', () => {
  assert.equal(timeZoneAbbreviation('Asia/Kathmandu', january), 'GMT+5:45')
  assert.equal(timeZoneAbbreviation('Etc/GMT-9', january), 'GMT+9')
})

test('the offset follows daylight saving', () => {
  assert.equal(timeZoneOffset('America/New_York', january), '-05:00:00')
  assert.equal(timeZoneOffset('America/New_York', july), '-04:00:00')
  assert.equal(timeZoneOffset('Asia/Kolkata', july), '05:30:00')
  assert.equal(timeZoneOffset('Etc/UTC', july), '00:00:00')
  assert.equal(timeZoneOffset('America/St_Johns', january), '-03:30:00')
})

test('only names of the time zone database are time zones, in any case', () => {
  assert.equal(timeZoneName('america/new_york'), 'America/New_York')
  for (const zone of ['America/Gotham', '+01:00', '']) assert.equal(timeZoneName(zone), undefined)
})
