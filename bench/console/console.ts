import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { issueDemoToken } from '../../src/auth/grants/demo-token.ts'
import { readConfig } from '../../src/config.ts'
import { epochSeconds, systemClock } from '../../src/core/clock.ts'
import { deriveKey, seal } from '../../src/core/crypto/keys.ts'
import { keepTickShape } from '../../src/core/process/tick-shape.ts'
import { type RunningNode, startNode } from '../../src/node.ts'
import { demoApp } from '../../test/support/demo.ts'
import { medianOf } from '../support/load.ts'
import { inPlace, type Place } from '../support/place.ts'
import { atMost, heading, milliseconds } from '../support/report.ts'
import { get } from '../support/wire.ts'
import type { Task } from './client.ts'

const publicUrl = 'http://localhost:4700'
const rounds = 15
/** Each side of a round takes about this long. */
const roundMs = 100
/** Until both sides are compiled. */
const warmUpMs = 1_000

const pages: readonly (readonly [name: string, path: string])[] = [
  ['Home', '/'],
  ['Apps', '/console/apps'],
  ['One app', `/console/apps/${demoApp.AppKey}`],
  ['Instruments', '/console/instruments'],
  ['Search', '/console/instruments?Keywords=apple'],
  ['Instrument', '/console/instruments/1000/Stock'],
  ['Option chain', '/console/options/1'],
  ['Futures space', '/console/futures/5004'],
  ['Trading schedule', '/console/schedule/1000/Stock'],
  ['Corporate actions', '/console/events'],
  ['Month', '/console/events/month'],
  ['Sessions', '/console/sessions'],
  ['Clock', '/console/sim'],
  ['Faults', '/console/sim/faults'],
]

const pageRequest = (path: string, cookie: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`

/** console: the processor time of a console page, compared with that of its API calls made over HTTP, as another app would make
 *  them. The calls are recorded while the page makes them in process. */
export async function benchConsole(): Promise<void> {
  // As a service does.
  keepTickShape()
  await inPlace(async (place) => {
    const { node, token, cookie } = await startConsole(place)
    await node.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = node.server.server.address() as { port: number }
    try {
      heading('Pages of the console, against the API calls behind them')
      const client = new Client(port)
      for (const [name, path] of pages) await measure({ node, token }, client, name, pageRequest(path, cookie))
      await client.close()
    } finally {
      await node.close()
    }
  })
}

/** A node with all demo data in this process, and the cookie of a user who is signed in to its console. */
async function startConsole({ database }: Place): Promise<{ node: RunningNode; token: string; cookie: string }> {
  const whole = await database.another('console', { withReference: true })
  const settings = whole.settings(publicUrl)
  const masterKey = Buffer.from(settings.MASTER_KEY ?? '', 'base64')
  const config = readConfig({}, { ...settings, RATE_LIMITS: 'off' })
  const log = pino({ level: 'silent' })
  const node = await startNode({ config, connection: whole.connection, masterKey, clock: systemClock, log })
  const accessToken = await issueDemoToken(node.context, demoApp.AppKey, 'ada')
  const expiresAt = epochSeconds(systemClock.now()) + 3_600
  const session = JSON.stringify({ accessToken, refreshToken: '', expiresAt, userName: 'ada', clientKey: '' })
  const sealed = seal(deriveKey(masterKey, 'console'), session, 'console session').toString('base64url')
  // As a browser sends them that has opened a page before.
  const others = `refdesk_zone=Europe/Copenhagen; refdesk_form=${'0123456789abcdef'.repeat(2)}`
  return { node, token: accessToken, cookie: `refdesk_console=${sealed}; ${others}` }
}

/** Sends requests from another thread. */
class Client {
  readonly #worker: Worker

  constructor(port: number) {
    this.#worker = new Worker(new URL('client.ts', import.meta.url), { workerData: port })
  }

  async send(requests: readonly string[], times = 1): Promise<void> {
    this.#worker.postMessage({ requests, times } satisfies Task)
    await once(this.#worker, 'message')
  }

  /** The processor time of this thread, which is that of the server, for one time, in milliseconds. */
  async cost(requests: readonly string[], times: number): Promise<number> {
    const before = process.threadCpuUsage()
    await this.send(requests, times)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / times / 1_000
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

type Measured = Readonly<{ node: RunningNode; token: string }>

async function measure({ node, token }: Measured, client: Client, name: string, page: string): Promise<void> {
  const calls = await callsOf(node, token, () => client.send([page]))
  const timesIn = (ms: number, each: number) => Math.max(Math.ceil(ms / each), 3)
  // The first times are slower, so this is too few rather than too many.
  const first = await client.cost([page, ...calls], 10)
  for (const requests of [[page], calls]) await client.send(requests, timesIn(warmUpMs, first))
  const times = timesIn(roundMs, await client.cost([page], 10))
  const done: { page: number; api: number }[] = []
  for (let round = 0; round < rounds; round++)
    done.push({ page: await client.cost([page], times), api: await client.cost(calls, times) })
  const [shown, asked] = [medianOf(done.map(({ page }) => page)), medianOf(done.map(({ api }) => api))]
  const sides = { ours: milliseconds(shown), rival: `its ${calls.length} calls: ${milliseconds(asked)}` }
  atMost(`page ${name} / its calls`, medianOf(done.map(({ page, api }) => page / api)), 1.5, '', sides)
}

/** The calls that a page makes while it is shown, also those that bypass the framework: they are in the request log. */
async function callsOf({ server }: RunningNode, token: string, show: () => Promise<void>): Promise<string[]> {
  const calls: string[] = []
  const { routing } = server
  // A response is logged at the end of a turn: those of the page before must not count.
  await setTimeout(50)
  const before = server.requestLog?.ring.newest()[0]?.id ?? ''
  server.routing = (request, answer) => {
    calls.push(request.url ?? '')
    routing(request, answer)
  }
  try {
    await show()
  } finally {
    server.routing = routing
  }
  await setTimeout(50)
  const routed = new Set(calls)
  for (const { id, target } of server.requestLog?.ring.newest() ?? []) {
    if (id <= before) break
    const isPage = /^\/(?:console\b|\?|$)/.test(target)
    if (!isPage && !routed.has(target)) calls.push(target)
  }
  return calls.map((url) => get(url, token))
}
