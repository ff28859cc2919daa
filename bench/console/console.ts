import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { issueDemoToken } from '../../src/auth/grants/demo-token.ts'
import { readConfig } from '../../src/config.ts'
import { epochSeconds, systemClock } from '../../src/core/clock.ts'
import { deriveKey, seal } from '../../src/core/crypto/keys.ts'
import { type RunningNode, startNode } from '../../src/node.ts'
import { demoApp } from '../../test/support/demo.ts'
import { medianOf } from '../support/load.ts'
import { inPlace, type Place } from '../support/place.ts'
import { atMost, heading, milliseconds } from '../support/report.ts'
import { get, Wire } from '../support/wire.ts'

const publicUrl = 'http://localhost:4700'
const rounds = 40
const warmUp = 15

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

/** console: the time of a console page, compared with its API calls made over HTTP, as another app would make them.
 *  The calls are recorded while the page makes them in process. */
export async function benchConsole(): Promise<void> {
  await inPlace(async (place) => {
    const { node, token, cookie } = await startConsole(place)
    await node.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = node.server.server.address() as { port: number }
    try {
      heading('Pages of the console, against the API calls behind them')
      const wire = await Wire.open(port)
      for (const [name, path] of pages) await measure({ node, token }, wire, name, pageRequest(path, cookie))
      wire.close()
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
  const session = JSON.stringify({ accessToken, refreshToken: '', expiresAt, userName: 'ada' })
  const sealed = seal(deriveKey(masterKey, 'console'), session, 'console session').toString('base64url')
  return { node, token: accessToken, cookie: `refdesk_console=${sealed}` }
}

type Measured = Readonly<{ node: RunningNode; token: string }>

async function measure({ node, token }: Measured, wire: Wire, name: string, page: string): Promise<void> {
  const calls = await callsOf(node, token, () => ask(wire, name, page))
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const show = () => ask(wire, name, page)
  const callAll = async () => {
    for (const call of calls) await ask(wire, name, call)
  }
  for (let round = 0; round < warmUp; round++) await show().then(callAll)
  const done: { page: number; api: number }[] = []
  for (let round = 0; round < rounds; round++) done.push({ page: await timed(show), api: await timed(callAll) })
  const [shown, asked] = [medianOf(done.map(({ page }) => page)), medianOf(done.map(({ api }) => api))]
  const sides = { ours: milliseconds(shown), rival: `its ${calls.length} calls: ${milliseconds(asked)}` }
  atMost(`page ${name} / its calls`, medianOf(done.map(({ page, api }) => page / api)), 1.5, '', sides)
}

async function ask(wire: Wire, name: string, request: string): Promise<void> {
  const { status, body } = await wire.send(request)
  if (status !== 200) throw new Error(`${name} answered ${status}: ${body.slice(0, 200)}`)
}

/** The calls that a page makes while it is shown, also those that bypass the framework: they are in the request log. */
async function callsOf({ server }: RunningNode, token: string, show: () => Promise<void>): Promise<string[]> {
  const calls: string[] = []
  const { routing } = server
  // A response is logged at the end of a turn: those of the page before must not count.
  await setTimeout(50)
  const before = server.requestLog?.ring.newest().next().value?.id ?? ''
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
  for (const { id, isShown, target } of server.requestLog?.ring.newest() ?? []) {
    if (id <= before) break
    if (!isShown) calls.push(target)
  }
  return calls.map((url) => get(url, token))
}
