import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretTimeline } from './secret-timeline.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const secrets = [
  { SecretId: 12, LastFour: 'ab12', ValidFrom: '2026-12-01T00:00:00Z', ValidUntil: '2027-12-01T00:00:00Z' },
  {
    SecretId: 11,
    LastFour: 'ab11',
    ValidFrom: '2026-06-01T00:00:00Z',
    ValidUntil: '2026-12-08T00:00:00Z',
    LastUsedAt: '2026-11-16T11:56:00Z',
  },
  { SecretId: 13, ValidFrom: '2026-01-01T00:00:00Z', ValidUntil: '2026-02-01T00:00:00Z' },
]
const drawn = String(secretTimeline(secrets, now, 'Europe/Copenhagen'))
const number = (markup: string | undefined, name: string) =>
  Number(new RegExp(` ${name}="([\\d.]+)"`).exec(markup ?? '')?.[1])

test('draws each secret from its start to its end, oldest first, with a line for now', () => {
  const bands = [...drawn.matchAll(/<rect class="secret (\w+)"[^>]*>/g)]
  assert.deepEqual(
    bands.map(([, state]) => state),
    ['expired', 'valid', 'upcoming'],
  )
  const [expired, valid, upcoming] = bands.map(([markup]) => ({
    from: number(markup, 'x'),
    until: number(markup, 'x') + number(markup, 'width'),
  }))
  assert.ok(expired && valid && upcoming)
  const nowAt = number(/<line class="now"[^>]*>/.exec(drawn)?.[0], 'x1')
  assert.ok(expired.until < valid.from && valid.from < nowAt && nowAt < upcoming.from && upcoming.from < valid.until)
  const used = number(/<circle[^>]*>/.exec(drawn)?.[0], 'cx')
  assert.ok(Math.abs(used - nowAt) < 1, 'used four minutes ago')
})

test('labels stay inside the chart, show other years, and are read out', () => {
  const labels = [...drawn.matchAll(/<text class="strong halo" x="([\d.]+)"[^>]*>([^<]*)/g)]
  assert.deepEqual(
    labels.map(([, , text]) => text),
    [
      'Secret 13 · expired 1 Feb',
      'Secret 11 (…ab11) · valid until 8 Dec · used 4 minutes ago',
      'Secret 12 (…ab12) · from 1 Dec',
    ],
  )
  assert.match(
    drawn,
    /aria-label="[^"]*Secret 12 \(…ab12\): valid from 1 Dec 2026, 01:00 until 1 Dec 2027, 01:00, not yet valid, never used\./,
  )
  const late = { SecretId: 19, ValidFrom: '2027-11-30T00:00:00Z', ValidUntil: '2027-12-01T00:00:00Z' }
  const [, x, text = ''] =
    /halo" x="([\d.]+)"[^>]*>(Secret 19[^<]*)/.exec(String(secretTimeline([...secrets, late], now, 'UTC'))) ?? []
  assert.equal(text, 'Secret 19 · from 30 Nov 2027')
  assert.ok(Number(x) + text.length * 7 <= 886, `at ${x}`)
})
