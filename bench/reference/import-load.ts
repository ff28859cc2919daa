import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { mixedQueries } from '../search/queries.ts'
import { quantile, sending } from '../support/load.ts'
import { sameUser } from '../support/refdesk.ts'
import { milliseconds, note, recorderOf, seconds } from '../support/report.ts'
import { basePath, get, scrape, Wire } from '../support/wire.ts'
import type { ReferenceSetting } from './setting.ts'

const queryCount = 2_000
const [warmUpSeconds, restSeconds] = [2, 5]
const lookEveryMs = 10
const longestSeconds = 300
/** After the changes are served the node still merges them with the rest, which requests may notice. */
const mergeMs = 5_000
const lanes = 4
const everyMs = 20

type Watched = Readonly<{
  port: number
  requests: readonly string[]
  token: string
  /** Returns the revision in the database. */
  committed(): Promise<number>
}>

/** Measures the latency of searches while every fifth instrument changes, and the time until the changes are served. */
export async function benchImport(setting: ReferenceSetting): Promise<void> {
  const { servers } = setting.place
  const { database } = await setting.whole()
  const large = await setting.universe.changed('large', 5)
  const node = await servers.serve(database)
  const [token = ''] = await database.accessTokens(node.port, sameUser(1))
  const requests = mixedQueries(await setting.docs(), queryCount).map((text) =>
    get(`${basePath}/ref/v1/instruments?Keywords=${encodeURIComponent(text)}`, token),
  )
  await database.use(async (db) => {
    const committed = async () =>
      Number((await sql<{ revision: string }>`select revision from reference_data`.execute(db)).rows[0]?.revision)
    const watched = { port: node.port, requests, token, committed }
    await atRest(watched, warmUpSeconds)
    const rest = await atRest(watched, restSeconds)
    report(large.count, rest, await meanwhile(watched, () => setting.importInto(database, large.file)))
  })
}

type Change = Readonly<{ times: number[]; stallMs: number; servedSeconds: number; importSeconds: number }>

function report(count: number, rest: number[], { times, stallMs, servedSeconds, importSeconds }: Change): void {
  const { atMost } = recorderOf('Changes while serving')
  const [during, before] = [quantile(times, 0.99), quantile(rest, 0.99)]
  const sides = { ours: milliseconds(during), rival: `at rest: ${milliseconds(before)}` }
  atMost('search p99 during an import / at rest', during / before, 4, sides)
  atMost('longest stall of the event loop during an import', stallMs, 50, { unit: 'ms' })
  const name = `${count.toLocaleString('en')} changes, from commit to served`
  atMost(name, servedSeconds, 6, { ours: `import: ${seconds(importSeconds)}`, unit: 's' })
  note(`${times.length} searches during the import, the longest ${milliseconds(Math.max(...times))}`)
}

async function atRest(watched: Watched, lasting: number): Promise<number[]> {
  const until = AbortSignal.timeout(lasting * 1_000)
  // Looks for new revisions as during an import, because looking is load too.
  const [times] = await Promise.all([steadyLoad(watched, until), untilServed(watched, Number.POSITIVE_INFINITY, until)])
  return times
}

/** From the start of the import until the node serves the changes and has merged them. */
async function meanwhile(watched: Watched, runImport: () => Promise<number>): Promise<Change> {
  const before = await watched.committed()
  const stall = async () => (await scrape(watched.port, 'refdesk_event_loop_delay_seconds_max')) * 1_000
  // Reading it starts it again.
  await stall()
  const over = new AbortController()
  const load = steadyLoad(watched, over.signal)
  try {
    const [importSeconds, servedSeconds] = await Promise.race([
      Promise.all([runImport(), untilServed(watched, before, over.signal)]),
      // Ends on its own only if it fails.
      load.then(() => Promise.reject(new Error('The load has ended.'))),
    ])
    await sleep(mergeMs)
    const stallMs = await stall()
    over.abort()
    return { times: await load, stallMs, servedSeconds, importSeconds }
  } finally {
    over.abort()
  }
}

/** Returns the seconds from the commit of the first revision above this one until it is served. */
async function untilServed(watched: Watched, before: number, until: AbortSignal): Promise<number> {
  const wire = await Wire.open(watched.port)
  const request = get(`${basePath}/x/v1/revision`, watched.token)
  const servedRevision = async () => Number(JSON.parse((await wire.send(request)).body).Revision)
  try {
    const [committedAt, servedAt] = await Promise.all([
      firstAbove(before, watched.committed, until),
      firstAbove(before, servedRevision, until),
    ])
    return Math.max(0, servedAt - committedAt) / 1_000
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

/** Measures single requests under a modest, steady load: 4 connections with 50 requests a second each, until the signal.
 *  If a request is due while the previous one is running, its wait counts too. */
async function steadyLoad({ port, requests }: Watched, until: AbortSignal): Promise<number[]> {
  const { step } = sending('refdesk', { port, pid: 0 }, requests)
  const times: number[] = []
  const runLane = async (_: unknown, lane: number) => {
    const wire = await Wire.open(port)
    try {
      for (let due = performance.now() + (lane * everyMs) / lanes; !until.aborted; due += everyMs) {
        const early = due - performance.now()
        if (early > 0) await sleep(early)
        const start = early > 0 ? performance.now() : due
        await step(wire, times.length, lane)
        times.push(performance.now() - start)
      }
    } finally {
      wire.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return times
}
