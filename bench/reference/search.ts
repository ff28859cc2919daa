import { fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome, PeerName } from '../peers/search-child.ts'
import { inOrder, matchable, type SearchDoc } from '../peers/search-peer.ts'
import { atMost, heading, line, ratio } from '../support/report.ts'
import { mixedQueries, type Query, queryKinds } from './queries.ts'
import type { ReferenceSetting } from './setting.ts'

export type SearchSetting = Readonly<{
  queries: number
  /** The number of queries whose order is checked against a full scan. */
  checked: number
  peers: readonly PeerName[]
  /** Slow peers, which get only the first of the queries. */
  fewerQueries?: Readonly<Partial<Record<PeerName, number>>>
}>

export const wholeSetting: SearchSetting = {
  queries: 2_000,
  checked: 200,
  peers: [
    'refdesk',
    'sqlite-staged',
    'sqlite-sorted',
    'flexsearch-staged',
    'flexsearch-ordered',
    'flexsearch',
    'minisearch-ordered',
    'minisearch',
    'postgres',
    // Measured again, in case the machine became slower or faster meanwhile.
    'refdesk',
  ],
  fewerQueries: { minisearch: 200, 'minisearch-ordered': 200 },
}

/** The fastest rival with the right order, from runs of all of them. */
const shortSetting: SearchSetting = { queries: 2_000, checked: 50, peers: ['refdesk', 'sqlite-staged'] }

export type Searched = Outcome &
  Readonly<{ peer: PeerName; meanMs: number; p50Ms: number; p99Ms: number; isRight: boolean }>

/** Where peers may write; the caller cleans up both. */
export type SearchResources = Readonly<{ folder: string; databaseUrl: string; signal: AbortSignal }>

/** Search in process, compared with other search libraries. */
export async function benchSearch(setting: ReferenceSetting): Promise<number | undefined> {
  const { place } = setting
  const { folder, signal } = place
  const { url: databaseUrl } = await place.database.another('bench_peers')
  const search = place.isShort ? shortSetting : wholeSetting
  const done = await benchReferenceSearch(await setting.docs(), { folder, databaseUrl, signal }, search)
  return reportBest(done)
}

/** Runs the same queries on every peer, one after the other, each in its own process, and prints the results. */
export async function benchReferenceSearch(
  docs: readonly SearchDoc[],
  { folder, databaseUrl, signal }: SearchResources,
  { queries: count, checked, peers, fewerQueries }: SearchSetting = wholeSetting,
): Promise<Searched[]> {
  heading(`Search in process: ${count} queries over ${docs.length} instruments, the first 50 of each`)
  const queries = mixedQueries(docs, count)
  const expected = expectedPages(docs, queries, checked)
  const docsFile = join(folder, `docs-${docs.length}.ndjson`)
  await pipeline(Readable.from(docs.values().map((doc) => `${JSON.stringify(doc)}\n`)), createWriteStream(docsFile))
  const done: Searched[] = []
  for (const peer of peers) {
    const asked = queries.slice(0, fewerQueries?.[peer])
    const pages = expected.filter(([index]) => index < asked.length)
    const job = { peer, docsFile, databaseUrl, queries: asked.map(({ text }) => text), expected: pages }
    const outcome = await runPeer(job, signal).catch((error: Error) => line(peer, '-', error.message))
    signal.throwIfAborted()
    if (outcome) done.push(report(peer, outcome, asked, pages.length, asked.length < queries.length))
  }
  return done
}

/** The expected pages of some of the queries, by a full scan. */
function expectedPages(docs: readonly SearchDoc[], queries: readonly Query[], checked: number): Job['expected'] {
  const all = docs.map(matchable)
  const step = Math.max(1, Math.floor(queries.length / checked))
  return queries.flatMap(({ text }, index) => (index % step === 0 ? [[index, inOrder(all, text)] as const] : []))
}

function runPeer(job: Job, signal: AbortSignal): Promise<Outcome> {
  const script = fileURLToPath(new URL('../peers/search-child.ts', import.meta.url))
  const execArgv = ['--expose-gc', '--max-old-space-size=8192']
  const child = fork(script, { execArgv, serialization: 'advanced', signal })
  return new Promise((resolve, reject) => {
    child.once('message', ({ outcome, failure }: { outcome?: Outcome; failure?: string }) =>
      outcome ? resolve(outcome) : reject(new Error(failure)),
    )
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`Ended early: ${signal ?? code}`)))
    child.send(job)
  })
}

const inMs = (value: number): string => `${value.toFixed(3)} ms`
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function report(
  peer: PeerName,
  outcome: Outcome,
  queries: readonly Query[],
  checked: number,
  isFewer: boolean,
): Searched {
  const { name, queryMs, buildMs, bytes, isOrdered, rightPages, sameMembers } = outcome
  const sorted = queryMs.toSorted((a, b) => a - b)
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const result = { ...outcome, peer, meanMs: mean(queryMs), p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
  const isRight = rightPages === checked
  const asked = isFewer ? `; the first ${queries.length} queries only` : ''
  line(name, inMs(result.meanMs), `p50 ${inMs(result.p50Ms)}, p99 ${inMs(result.p99Ms)}${asked}`)
  line('', '', `built in ${(buildMs / 1_000).toFixed(1)} s, ${Math.round(bytes / 1e6)} MB`)
  const claim = isOrdered ? '' : ', which it does not aim at'
  line('', '', `right order: ${rightPages} of ${checked} pages${claim}; right members: ${sameMembers}`)
  const kinds = queryKinds.flatMap((kind) => {
    const times = queryMs.filter((_, index) => queries[index]?.kind === kind)
    return times.length > 0 ? [`${kind} ${mean(times).toFixed(3)}`] : []
  })
  line('', '', `means: ${kinds.join(', ')}`)
  return { ...result, isRight }
}

/** Returns our mean. */
function reportBest(done: readonly Searched[]): number | undefined {
  const rivals = done.filter(({ peer, isRight }) => isRight && peer !== 'refdesk').sort((a, b) => a.meanMs - b.meanMs)
  const ours = done.filter(({ peer }) => peer === 'refdesk')
  const [best] = rivals
  if (!best || ours.length === 0) return undefined
  const meanMs = mean(ours.map(({ meanMs }) => meanMs))
  const sides = { ours: `mean ${inMs(meanMs)}`, rival: `${best.name}: ${inMs(best.meanMs)}` }
  ratio('search in process, times faster than the fastest rival', best.meanMs / meanMs, 20, sides)
  atMost('search in process, p99', mean(ours.map(({ p99Ms }) => p99Ms)), 0.2, 'ms')
  return meanMs
}
