import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testServer } from '../../test/support/http-server.ts'
import { systemClock } from '../core/clock.ts'
import { listTimeZones, referenceRoutes } from './routes.ts'

const noon = Temporal.Instant.from('2026-11-16T12:00:00Z')
const clock = { ...systemClock, now: () => noon }

/** Asks for the list of time zones. The zones in use are read once per request, and once per build. */
function listing(t: TestContext, zonesInUse: () => string[]) {
  const { server } = testServer()
  t.after(() => server.close())
  referenceRoutes(server, 'https://api.example', zonesInUse, clock)
  return () => server.inject({ url: listTimeZones.path })
}

test('concurrent first requests share one build of a list', async (t) => {
  let reads = 0
  const list = listing(t, () => {
    reads++
    return ['US/Alaska']
  })
  const responses = await Promise.all([list(), list(), list()])

  assert.equal(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1)
  assert.match(responses[0]?.body ?? '', /"US\/Alaska"/)
  assert.equal(reads, 3 + 1)
})

test('a list that changes during a build is built for the new version, which is kept', async (t) => {
  let zones = ['US/Alaska']
  let reads = 0
  const list = listing(t, () => {
    reads++
    return zones
  })
  const before = list()
  while (reads < 2) await new Promise(setImmediate)
  zones = ['US/Hawaii']
  const [older, newer] = await Promise.all([before, list()])
  const last = await list()

  assert.match(older.body, /"US\/Alaska"/)
  assert.match(newer.body, /"US\/Hawaii"/)
  assert.deepEqual([last.body, reads], [newer.body, 3 + 2])
})

test('a build that fails is repeated by the next request', async (t) => {
  let reads = 0
  const list = listing(t, () => {
    if (++reads === 2) throw new Error('no zones')
    return []
  })

  assert.deepEqual([(await list()).statusCode, (await list()).statusCode], [500, 200])
})
