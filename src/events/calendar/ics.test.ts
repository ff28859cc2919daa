import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { anEvent, anOption } from '../../../test/support/events/event.ts'
import type { Event } from '../api/schema.ts'
import { calendarEntries } from '../rules/calendar-entries.ts'
import { escapeText, foldLine, renderCalendar } from './ics.ts'

const options = { host: 'desk.example', now: Temporal.Instant.from('2026-11-16T12:00:00Z') }
const written = (events: Event[], name = 'Corporate actions') =>
  [...renderCalendar({ name, entries: calendarEntries(events, options), version: '1.2.3' })].join('')
const read = (calendar: string) => new ICAL.Component(ICAL.parse(calendar))
const event = anEvent({
  Ex: { Date: '2026-12-31T00:00:00Z' },
  Options: [
    anOption('1', 'Cash', { Deadline: { Date: '2026-11-28T16:00:00.000000Z' } }),
    anOption('2', 'No action', { IsDefault: true }),
  ],
})

test('ical.js reads the days, times, texts and alarm', () => {
  const calendar = read(written([event]))
  assert.equal(calendar.getFirstPropertyValue('version'), '2.0')
  assert.equal(calendar.getFirstPropertyValue('x-wr-calname'), 'Corporate actions')
  const [ex, deadline] = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  assert.ok(ex && deadline)
  assert.deepEqual([ex.startDate.isDate, ex.startDate.toString()], [true, '2026-12-31'])
  assert.equal(ex.endDate.toString(), '2027-01-01', 'exclusive')
  assert.deepEqual([deadline.startDate.isDate, deadline.startDate.toString()], [false, '2026-11-28T16:00:00Z'])
  assert.equal(deadline.summary, 'Deadline: Apple Inc., Tender Offer (option 1 Cash; default 2 No action)')
  assert.match(deadline.description, /^Apple Inc., AAPL:xnas, ISIN US0378331005\nTender Offer \(TEND\), Voluntary/)
  assert.equal(deadline.component.getFirstPropertyValue('status'), 'CONFIRMED')
  assert.equal(String(deadline.component.getFirstPropertyValue('dtstamp')), '2026-11-02T09:30:15Z')
  const alarms = [ex, deadline].map(({ component }) => component.getFirstSubcomponent('valarm'))
  assert.deepEqual(
    alarms.map((alarm) => alarm && String(alarm.getFirstPropertyValue('trigger'))),
    [null, '-P1D'],
  )
})

test('a later revision has a higher sequence; the same data gives the same text', () => {
  const sequence = (UpdatedDateTime: string) =>
    Number(
      read(written([{ ...event, UpdatedDateTime }]))
        .getFirstSubcomponent('vevent')
        ?.getFirstPropertyValue('sequence'),
    )
  const later = sequence('2036-11-02T09:30:15.000000Z')
  assert.ok(later > sequence(event.UpdatedDateTime) && later < 2 ** 31)
  assert.equal(sequence('1969-01-01T00:00:00.000000Z'), 0)
  assert.equal(written([event]), written([event]))
})

test('a calendar may be empty', () => {
  assert.equal(read(written([])).getAllSubcomponents().length, 0)
})

test('escapes text, so that it cannot inject lines', () => {
  assert.equal(escapeText('a,b;c\\d\r\ne\rf\0\x07g\th'), 'a\\,b\\;c\\\\d\\ne\\nfg\th')
  assert.match(written([], 'Ada, "family"\nX:y'), /\r\nNAME:Ada\\, "family"\\nX:y\r\n/)
  const hostile = 'X\r\nEND:VEVENT\r\nBEGIN:VEVENT\u2028\x85\uD800'
  const calendar = read(written([anEvent({ ...event, DisplayAndFormat: { Description: hostile } })]))
  assert.equal(calendar.getAllSubcomponents('vevent').length, 2)
  assert.match(
    String(calendar.getFirstSubcomponent('vevent')?.getFirstPropertyValue('summary')),
    /X\nEND:VEVENT\nBEGIN/,
  )
})

test('folds lines at 75 octets, between characters, and unfolds to the original', () => {
  const euros = '€'.repeat(100)
  for (const line of [
    '',
    'x'.repeat(75),
    'x'.repeat(76),
    'x'.repeat(1000),
    euros,
    `a${euros}`,
    `ab${euros}`,
    '😀'.repeat(50),
  ]) {
    const lines = foldLine(line).split('\r\n')
    for (const [index, each] of lines.entries()) {
      assert.ok(Buffer.byteLength(each) <= 75 && each.isWellFormed() && !each.includes('\uFFFD'), each)
      assert.ok(index === 0 || each.startsWith(' '))
    }
    assert.equal(foldLine(line).replaceAll('\r\n ', ''), line)
  }
  assert.equal(foldLine('x'.repeat(76)), `${'x'.repeat(75)}\r\n x`)
  assert.equal(foldLine('x'.repeat(75)), 'x'.repeat(75))
})
