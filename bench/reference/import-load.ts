import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { medianOf } from '../support/load.ts'
import { atMost, heading, line, milliseconds, seconds } from '../support/report.ts'
import { longestStallMs } from '../support/scrape.ts'
import { quantile, steadyLoad } from '../support/steady.ts'
import { get, Wire } from '../support/wire.ts'
import { mixedQueries } from './queries.ts'
import { basePath, type Node, type ReferenceSetting } from './setting.ts'

const restSeconds = 8
const queryCount = 2_000
const smallChange = 1_000
const smallChanges = 3
const lookEveryMs = 10
const longestSeconds = 300
/** After the changes are served the node still merges them with the rest, which requests may notice. */
const mergeMs = 5_000

type Watched = Readonly<{ node: Node; token: string; requests: string[]; barePort: number; client: pg.Client }>
type Change = Readonly<{
  times: number[]
  bare: number[]
  stallMs: number
  committedToServedMs: number
  importSeconds: number
}>

const summaryOf = (times: readonly number[]): string =>
  `p50 ${milliseconds(quantile(times, 0.5))}, longest ${milliseconds(Math.max(...times))}, of ${times.length}`

/** Latency of searches during an import. */
export async function benchServingMeanwhile(setting: ReferenceSetting): Promise<void> {
  const { place, universe } = setting
  const { database } = await setting.loaded('whole')
  const large = await universe.changed('large', { every: 5 })
  heading(`Search while ${large.count} instruments change, 200 requests a second`)
  const queries = mixedQueries(await setting.docs(), queryCount)
  const node = await setting.serve(database)
  const bare = await place.servers.start('bench/peers/bare.ts', {})
  const [token = ''] = await setting.tokens(node, 1)
  const path = (text: string) => `${basePath}/ref/v1/instruments?Keywords=${encodeURIComponent(text)}`
  const requests = queries.map(({ text }) => get(path(text), token))
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const watched = { node, token, requests, barePort: bare.port, client }
    await atRest(watched, place.isShort ? 2 : 3)
    const rest = await atRest(watched, place.isShort ? 5 : restSeconds)
    line('p99 at rest', milliseconds(quantile(rest.times, 0.99)), summaryOf(rest.times))
    line('longest stall of the event loop at rest', milliseconds(rest.stallMs))
    const change = await duringImport(setting, watched, large.file)
    reportLarge(large.count, rest, change)
    if (!place.isShort) await reportSmall(setting, watched)
  } finally {
    await client.end()
  }
}

async function atRest(watched: Watched, lasting: number) {
  const { node, requests, barePort } = watched
  await longestStallMs(node.port)
  const until = AbortSignal.timeout(lasting * 1_000)
  const [times, bare] = await Promise.all([
    steadyLoad(node.port, requests, until),
    steadyLoad(barePort, [get('/')], until),
    // As during an import, because looking is load too.
    newRevision(watched, Number.POSITIVE_INFINITY, until),
  ])
  return { times, bare, stallMs: await longestStallMs(node.port) }
}

/** From the start of the import until the node serves the changes and has merged them. */
async function duringImport(setting: ReferenceSetting, watched: Watched, file: string): Promise<Change> {
  const { node, requests, barePort } = watched
  const before = await revisionInDatabase(watched)
  await longestStallMs(node.port)
  const over = new AbortController()
  const loads = Promise.all([
    steadyLoad(node.port, requests, over.signal),
    steadyLoad(barePort, [get('/')], over.signal),
  ])
  try {
    const [importSeconds, { committedAt, servedAt }] = await Promise.race([
      Promise.all([setting.importInto(node.database, [file]), newRevision(watched, before, over.signal)]),
      // Ends on its own only if it fails.
      loads.then(() => Promise.reject(new Error('The load has ended.'))),
    ])
    await sleep(mergeMs)
    const stallMs = await longestStallMs(node.port)
    over.abort()
    const [times, bare] = await loads
    return { times, bare, stallMs, committedToServedMs: Math.max(0, servedAt - committedAt), importSeconds }
  } finally {
    over.abort()
  }
}

const revisionInDatabase = async ({ client }: Watched): Promise<number> =>
  Number((await client.query('select revision from reference_data')).rows[0]?.revision)

/** When the first revision above one is in the database, and when it is served; or the end. */
async function newRevision(watched: Watched, before: number, until: AbortSignal) {
  const wire = await Wire.open(watched.node.port)
  const request = get(`${basePath}/x/v1/revision`, watched.token)
  const served = async () => Number(JSON.parse((await wire.send(request)).body).Revision)
  try {
    const [committedAt, servedAt] = await Promise.all([
      firstAbove(before, () => revisionInDatabase(watched), until),
      firstAbove(before, served, until),
    ])
    return { committedAt, servedAt }
  } finally {
    wire.close()
  }
}

async function firstAbove(before: number, look: () => Promise<number>, until: AbortSignal): Promise<number> {
  const latest = performance.now() + longestSeconds * 1_000
  while (performance.now() < latest) {
    if (until.aborted || (await look()) > before) return performance.now()
    await sleep(lookEveryMs)
  }
  throw new Error(`No new revision within ${longestSeconds} seconds.`)
}

type Rest = Awaited<ReturnType<typeof atRest>>

function reportLarge(count: number, rest: Rest, change: Change): void {
  const p99 = (times: readonly number[]) => quantile(times, 0.99)
  line('p99 from the start until it is served and merged', milliseconds(p99(change.times)), summaryOf(change.times))
  const sides = { ours: milliseconds(p99(change.times)), rival: `at rest: ${milliseconds(p99(rest.times))}` }
  atMost('search p99 during an import / at rest', p99(change.times) / p99(rest.times), 2, '', sides)
  const [bareRest, bareThen] = [p99(rest.bare), p99(change.bare)]
  const remark = `p99 ${milliseconds(bareRest)}, then ${milliseconds(bareThen)}: the effect of the machine alone`
  line('the same for a bare server', (bareThen / bareRest).toFixed(2), remark)
  atMost('longest stall of the event loop during an import', change.stallMs, 50, 'ms')
  line('import', seconds(change.importSeconds))
  atMost(`${count.toLocaleString('en')} changes: from commit to served`, change.committedToServedMs / 1_000, 5, 's')
}

async function reportSmall(setting: ReferenceSetting, watched: Watched): Promise<void> {
  const changes: Change[] = []
  let count = 0
  for (let round = 1; round <= smallChanges; round++) {
    const small = await setting.universe.changed(`small${round}`, { every: 7, max: smallChange })
    count = small.count
    await sleep(2_000)
    changes.push(await duringImport(setting, watched, small.file))
  }
  const served = changes.map(({ committedToServedMs }) => committedToServedMs)
  const remark = `median of ${served.map((value) => value.toFixed()).join(' ')}`
  line('', '', remark)
  atMost(`${count.toLocaleString('en')} changes: from commit to served`, medianOf(served), 1_000, 'ms')
  line('longest stall of the event loop', milliseconds(Math.max(...changes.map(({ stallMs }) => stallMs))))
}
