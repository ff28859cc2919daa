import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeOperatorKey } from '../../src/requests/operator-key.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true, isChecked: false, answerBytes: 0, env: { LOG_LEVEL: 'error' } })
const { server } = service.node
const basePath = new URL(service.baseUrl).pathname
const { access_token: token } = await obtainTokens(service.url)

const ask = (address: string) =>
  server.inject({ url: `${basePath}${address}`, headers: { authorization: `Bearer ${token}` } })

/** How many turns the event loop makes until a request is answered. */
async function turnsOf(address: string): Promise<number> {
  let [turns, isOver] = [0, false]
  const answered = ask(address).then(({ statusCode }) => {
    isOver = true
    assert.equal(statusCode, 200)
  })
  for (; !isOver; turns++) await nextTurn()
  await answered
  return turns
}

const fieldGroups = 'OrderSetting,SupportedOrderTypeSettings,TradingSessions,MarketData'

test('other requests are served after every hundred rows of a long page of details', async () => {
  const list = `/ref/v1/instruments/details?FieldGroups=${fieldGroups}`
  // The first request waits for the rights of the caller.
  await turnsOf(`${list}&$top=100`)
  const short = await turnsOf(`${list}&$top=100`)
  const long = await turnsOf(`${list}&$top=1000`)

  assert.ok(long >= short + 9, `${short} turns for a short page, ${long} for a long one`)
})

test('a caller who disconnects during a long page counts as no response', async () => {
  const address = '/ref/v1/instruments/details?$top=1000&$skip=1'
  const statuses: number[] = []
  server.observeResponses(({ raw }, reply) => {
    if (raw.url === `${basePath}${address}`) statuses.push(reply.statusCode)
  })
  server.server.once('request', (raw) => raw.destroy())
  await assert.rejects(fetch(`${service.baseUrl}${address}`, { headers: { authorization: `Bearer ${token}` } }))
  // Its turns come after that in which the first ends.
  await ask(address)

  while (statuses.length === 0) await nextTurn()
  assert.deepEqual(statuses, [200])
})

test('a long page has the rows of the short pages that it covers', async () => {
  const rowsOf = async (query: string): Promise<object[]> =>
    (await ask(`/ref/v1/instruments/details?FieldGroups=${fieldGroups}&${query}`)).json().Data
  const long = await rowsOf('$top=250&$skip=40')
  const short = [
    ...(await rowsOf('$top=100&$skip=40')),
    ...(await rowsOf('$top=100&$skip=140')),
    ...(await rowsOf('$top=50&$skip=240')),
  ]

  assert.equal(long.length, 250)
  assert.deepEqual(long, short)
})

/** The longest turn of the event loop until the work is done, in milliseconds of processor time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  const done = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { user, system } = process.threadCpuUsage()
    await nextTurn()
    const after = process.threadCpuUsage()
    longest = Math.max(longest, after.user + after.system - user - system)
  }
  await done
  return longest / 1_000
}

test('neither keeping a request with many odd names nor reading a full log of them makes a turn over 20 ms', async () => {
  const { ring } = server.requestLog ?? assert.fail()
  const names = Array.from({ length: 190 }, (_, at) => `Xeywor${at}zz=x`).join('&')
  const key = makeOperatorKey(masterKey, service.clock.nowMs())
  const send = () => ask(`/ref/v1/instruments?$top=1&${names}`)
  const list = () =>
    server.inject({ url: '/operator/requests?Path=nothing', headers: { authorization: `Bearer ${key}` } })
  // A garbage collection may fall into a turn, but not into a turn of each attempt.
  const shortestOf = async (work: () => Promise<unknown>) => {
    let shortest = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 8; attempt++) shortest = Math.min(shortest, await longestTurn(work))
    return shortest
  }

  const keeping = await shortestOf(send)
  const [entry = assert.fail()] = ring.newest()
  for (let each = 1; each <= 5_000; each++) ring.add({ ...entry, count: entry.count + each })
  assert.ok(ring.size.entries > 4_500, `${ring.size.entries} entries`)
  const reading = await shortestOf(list)

  assert.match(entry.target, /\[redacted]=\[redacted]/)
  assert.ok(keeping < 20, `${keeping} ms to keep a request`)
  assert.ok(reading < 20, `${reading} ms to read the log`)
})
