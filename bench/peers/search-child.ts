import { readFileSync } from 'node:fs'
import { flexSearch, flexSearchOrdered, flexSearchStaged } from './search-flexsearch.ts'
import { miniSearch, miniSearchOrdered } from './search-minisearch.ts'
import type { Peer, SearchDoc } from './search-peer.ts'
import { postgresTrigrams } from './search-postgres.ts'
import { refdesk } from './search-refdesk.ts'
import { sqliteSorted, sqliteStaged } from './search-sqlite.ts'

/** By name. */
const peers = {
  refdesk,
  'sqlite-staged': sqliteStaged,
  'sqlite-sorted': sqliteSorted,
  'flexsearch-staged': flexSearchStaged,
  'flexsearch-ordered': flexSearchOrdered,
  flexsearch: flexSearch,
  'minisearch-ordered': miniSearchOrdered,
  minisearch: miniSearch,
  postgres: postgresTrigrams,
}
export type PeerName = keyof typeof peers

export type Job = Readonly<{
  peer: PeerName
  docsFile: string
  databaseUrl: string
  queries: readonly string[]
  /** The expected first page of some queries, by the index of the query. */
  expected: readonly (readonly [index: number, ids: readonly number[]])[]
}>

export type Outcome = Readonly<{
  name: string
  buildMs: number
  bytes: number
  /** The median over the passes, for each query in order. */
  queryMs: readonly number[]
  isOrdered: boolean
  /** The number of pages with the expected rows in order, and of those with the same rows in any order. */
  rightPages: number
  sameMembers: number
}>

const warmUpMs = 1_000
/** Enough for several passes of all but the slowest peers, which reduces the noise of other processes. */
const measureMs = 15_000
const maxPasses = 5

/** Runs in its own process, so that peers do not share a heap. Needs --expose-gc. */
async function run({ peer: peerName, docsFile, databaseUrl, queries, expected }: Job): Promise<Outcome> {
  const heapBefore = heapBytes()
  const peer: Peer = peers[peerName](databaseUrl)
  const buildMs = await build(peer, docsFile)
  const bytes = (await peer.bytes?.()) ?? heapBytes() - heapBefore

  const warmUntil = performance.now() + warmUpMs
  for (let next = 0; performance.now() < warmUntil; next = (next + 1) % queries.length)
    await peer.search(queries[next] ?? '')
  const passes: number[][] = []
  const until = performance.now() + measureMs
  do passes.push(await pass(peer, queries))
  while (performance.now() < until && passes.length < maxPasses)

  let [rightPages, sameMembers] = [0, 0]
  for (const [index, ids] of expected) {
    const found = await peer.search(queries[index] ?? '')
    if (found.join() === ids.join()) rightPages++
    if (found.length === ids.length && new Set([...found, ...ids]).size === ids.length) sameMembers++
  }
  await peer.close?.()
  const queryMs = queries.map((_, index) => middle(passes.map((times) => times[index] ?? Number.NaN)))
  return { name: peer.name, buildMs, bytes, queryMs, isOrdered: peer.isOrdered, rightPages, sameMembers }
}

/** A separate function, so that the documents are garbage when memory is measured. */
async function build(peer: Peer, docsFile: string): Promise<number> {
  const docs = readFileSync(docsFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): SearchDoc => JSON.parse(line))
  const start = performance.now()
  await peer.build(docs)
  return performance.now() - start
}

async function pass(peer: Peer, queries: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const query of queries) {
    const start = performance.now()
    const found = peer.search(query)
    // A synchronous peer does not pay for a promise.
    if (found instanceof Promise) await found
    times.push(performance.now() - start)
  }
  return times
}

function heapBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

// The parent has ended.
process.once('disconnect', () => process.exit())
process.once('message', async (job: Job) => {
  const answer = await run(job).then(
    (outcome) => ({ outcome }),
    (error: Error) => ({ failure: error.message }),
  )
  process.send?.(answer, () => process.disconnect?.())
})
