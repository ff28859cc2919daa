import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, preferredFormat } from './formats.ts'

const wishes: [string | undefined, Format][] = [
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['image/png', 'json'],
  ['text/calendar', 'ics'],
  ['Text/Calendar; charset=utf-8', 'ics'],
  ['text/csv', 'csv'],
  ['text/*', 'ics'],
  ['text/*, text/csv', 'csv'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['application/json, text/csv', 'json'],
  ['text/csv;q=0.4, text/calendar;q=0.5', 'ics'],
  ['text/calendar, */*', 'ics'],
  ['text/calendar;q=0.1, */*', 'json'],
  ['*/*;q=0.1, text/calendar;q=0', 'json'],
  ['text/calendar;q=0, text/*', 'csv'],
  ['application/json;q=0, */*', 'ics'],
  ['text/csv;q=2, application/json;q=0.1', 'json'],
  ['text/csv;q=high', 'json'],
]

test('chooses the preferred format of Accept, else JSON', () => {
  for (const [accept, format] of wishes) assert.equal(preferredFormat(accept), format, accept ?? 'none')
})
