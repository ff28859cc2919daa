import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../../test/support/clock.ts'
import { TravelClock } from '../core/clock.ts'
import type { AuditEntry } from './append.ts'
import { type Refusal, Refusals } from './refusals.ts'

function setting(max?: number) {
  const real = new FixedClock('2026-11-16T09:00:10Z')
  const written: AuditEntry[] = []
  const store = { isDown: false }
  const write = async (entries: readonly AuditEntry[]) => {
    if (store.isDown) throw new Error('down')
    written.push(...entries)
  }
  const refusals = new Refusals(write, new TravelClock(real), max)
  const note = (address: string, more: Partial<Refusal> = {}, times = 1) => {
    for (let time = 0; time < times; time++) refusals.note({ kind: 'SecretRefused', address, app: 'a', ...more })
  }
  const counts = () =>
    written.map(({ kind, address, app = '-', detail }) => `${kind} ${address} ${app} ${detail?.count}`)
  return { real, refusals, written, store, note, counts }
}

test('refusals of a minute are one entry per kind, address, app and user, with their count', async () => {
  const { real, refusals, written, note, counts } = setting()
  note('192.0.2.1', {}, 2)
  real.advance(30)
  note('192.0.2.1')
  note('192.0.2.2')
  note('192.0.2.1', { app: 'b' })
  note('192.0.2.1', { kind: 'SignInRefused', user: 'u' })
  note('192.0.2.1', { kind: 'SignInRefused', user: 'v' })
  await refusals.flush()
  assert.deepEqual(written, [], 'the minute is not over')

  real.advance(20)
  note('192.0.2.1')
  await refusals.flush()
  assert.deepEqual(counts(), [
    'SecretRefused 192.0.2.1 a 3',
    'SecretRefused 192.0.2.2 a 1',
    'SecretRefused 192.0.2.1 b 1',
    'SignInRefused 192.0.2.1 a 1',
    'SignInRefused 192.0.2.1 a 1',
  ])
  assert.deepEqual(written[0], {
    at: Temporal.Instant.from('2026-11-16T09:00:10Z').epochMilliseconds,
    kind: 'SecretRefused',
    app: 'a',
    address: '192.0.2.1',
    detail: { count: 3, lastAt: '2026-11-16T09:00:40.000Z' },
  })
  assert.deepEqual(
    written.map(({ user }) => user),
    [undefined, undefined, undefined, 'u', 'v'],
  )
  await refusals.stop()
  assert.equal(counts().at(-1), 'SecretRefused 192.0.2.1 a 1')
})

test('unknown apps share an entry, and so do the addresses of an IPv6 /64', async () => {
  const { refusals, note, counts } = setting()
  for (let index = 1; index <= 9; index++) note(`2001:db8:0:1::${index}`, { app: undefined })
  await refusals.stop()
  assert.deepEqual(counts(), ['SecretRefused 2001:db8:0:1::/64 - 9'])
})

test('above the maximum, further addresses share an entry per kind', async () => {
  const { refusals, note, counts } = setting(2)
  for (let index = 1; index <= 9; index++) note(`192.0.2.${index}`)
  for (let index = 1; index <= 9; index++) note(`192.0.2.${index}`, { kind: 'SignInRefused', user: 'u' })
  note('192.0.2.1')
  await refusals.stop()
  assert.deepEqual(counts(), [
    'SecretRefused 192.0.2.1 a 2',
    'SecretRefused 192.0.2.2 a 1',
    'SecretRefused other addresses - 7',
    'SignInRefused other addresses - 9',
  ])
})

test('keeps what could not be written, bounded, and what is counted meanwhile', async () => {
  const { real, refusals, store, note, counts } = setting(2)
  store.isDown = true
  note('192.0.2.1', {}, 3)
  for (let minute = 0; minute < 5; minute++) {
    real.advance(60)
    const flushing = refusals.flush()
    note('192.0.2.1')
    await flushing
  }
  store.isDown = false
  await refusals.stop()
  assert.deepEqual(
    counts()
      .map((line) => Number(line.split(' ').at(-1)))
      .reduce((sum, count) => sum + count),
    8,
  )
  assert.ok(counts().length <= 3, counts().join('\n'))
})

test('writes by itself when the minute is over', async () => {
  const { real, refusals, note, written } = setting()
  const lines: string[] = []
  const log = { warn: (_: object, line: string) => void lines.push(line), info: () => {} }
  refusals.start(log)
  note('192.0.2.1')
  real.advance(60)
  while (written.length === 0) await new Promise((done) => setTimeout(done, 20))
  await refusals.stop()
  assert.deepEqual(lines, [])
})

test('an outage is logged once, and its end', async () => {
  const { refusals, store, note } = setting()
  const lines: string[] = []
  const log = (_: object, line: string) => void lines.push(line)
  refusals.start({ warn: log, info: log })
  store.isDown = true
  note('192.0.2.1')
  await refusals.stop()
  await refusals.stop()
  store.isDown = false
  await refusals.stop()
  assert.deepEqual(lines, ['cannot log refusals; will retry', 'logging refusals again'])
})
