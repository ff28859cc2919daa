import assert from 'node:assert/strict'
import { test } from 'node:test'
import { epochDay } from '../../../core/time/days.ts'
import type { OptionColumns } from '../segment.ts'
import { seriesTextsOf } from './series-texts.ts'

const today = epochDay('2026-11-19')
const expiry = epochDay('2026-12-18')
const dated = { today, daySuffix: '' }
const member = '"TickSizeScheme":{"DefaultTickSize":0.01}'
const dates = '"DisplayDaysToExpiry":29,"DisplayExpiry":"2026-12-01","Expiry":"2026-12-18"'

/** Series without a tick scheme, with one, and with a last trade. The first two have their text at the same place. */
const options = {
  text: Buffer.from(member),
  seriesTickSchemes: { starts: [0, 0, 0], lengths: [0, member.length, member.length] },
  seriesLastTrades: [Number.NaN, Number.NaN, Date.parse('2026-12-17T20:00:00Z') * 1_000],
} as unknown as OptionColumns

const textsOf = (zone: string, of: { today: number; daySuffix: string }) => (series: number) => {
  const { open, closed } = seriesTextsOf(options, zone, of).get(series, expiry)
  assert.equal(`${String(open).slice(0, -1)}},`, String(closed))
  return String(open)
}

test('series with the same expiry differ in tick scheme and last trade', () => {
  const text = textsOf('Etc/UTC', dated)
  for (let time = 0; time < 2; time++) {
    assert.equal(text(0), `{${dates},`)
    assert.equal(text(1), `{${dates},${member},`)
    assert.match(text(2), /"LastTradeDate":"2026-12-17T20:00:00.*"TickSizeScheme"/)
  }
})

test('a text is not used for another time zone, day or wire profile', () => {
  assert.match(textsOf('Etc/UTC', dated)(2), /"DisplayDaysToLastTradeDate":28,/)
  assert.match(textsOf('Asia/Tokyo', dated)(2), /"DisplayDaysToLastTradeDate":29,/)
  assert.match(textsOf('Etc/UTC', { ...dated, today: today + 1 })(2), /"DisplayDaysToLastTradeDate":27,/)
  assert.match(textsOf('Etc/UTC', { ...dated, daySuffix: 'T00:00:00Z' })(2), /"Expiry":"2026-12-18T00:00:00Z"/)
})

test('holds a bounded number of texts', () => {
  const texts = seriesTextsOf(options, 'Etc/UTC', dated)
  const first = texts.get(0, expiry)
  for (let day = 1; day < 4_000; day++) texts.get(0, expiry + day)
  assert.equal(texts.get(0, expiry), first)
  texts.get(0, expiry + 4_000)
  assert.notEqual(texts.get(0, expiry), first)
})
