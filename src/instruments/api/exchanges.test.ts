import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentBuilder } from '../catalogue/build/segment-builder.ts'
import { Snapshot } from '../catalogue/snapshot.ts'
import type { ExchangeRecord } from '../import/schema.ts'
import { handleListEarlierSessions } from './exchanges.ts'

/** Lists the earlier sessions of 120 exchanges, and counts how often their hours are read. */
function setting() {
  const read = { hours: 0 }
  const Hours: ExchangeRecord['Hours'] = [{ Days: ['Mon'], Start: '09:00', End: '17:00' }]
  const exchanges = Array.from({ length: 120 }, (_, at) => ({
    ...{ ExchangeId: `X${1_000 - at}`, Name: 'X', CountryCode: 'US', TimeZone: 'Etc/UTC' },
    get Hours() {
      read.hours++
      return Hours
    },
  }))
  const snapshot = new Snapshot(1, new SegmentBuilder().finish(1), exchanges)
  const reply = { header: () => reply, getHeader: () => undefined }
  const list = async (now: string) => {
    const nowMs = () => Temporal.Instant.from(now).epochMilliseconds
    const deps = { catalogue: { current: () => snapshot }, clock: { nowMs }, baseUrl: '' }
    const request = { query: { $top: 1_000, $skip: 0 }, headers: {} }
    const body = await Reflect.apply(handleListEarlierSessions, undefined, [deps, request, reply])
    return JSON.parse(String(body)).Data as { ExchangeId: string; Sessions: unknown[] }[]
  }
  return { read, list }
}

test('earlier sessions are computed once, until another session ends', async () => {
  const { read, list } = setting()
  const before = await list('2026-11-16T12:00:00Z')
  assert.deepEqual([before.length, before[0]], [120, { ExchangeId: 'X1000', Sessions: [] }])
  const { hours } = read
  assert.deepEqual(await list('2026-11-16T16:59:59Z'), before)
  assert.equal(read.hours, hours)
  const after = await list('2026-11-16T17:00:00Z')
  assert.ok(after.every(({ Sessions }) => Sessions.length === 1))
})

test('other requests are served while earlier sessions are computed', async () => {
  const { read, list } = setting()
  const seen = new Set<number>()
  let isDone = false
  const look = () => {
    seen.add(read.hours)
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await list('2026-11-16T12:00:00Z')
  isDone = true
  assert.equal(seen.size, 2, 'after 50 and after 100 exchanges')
})
