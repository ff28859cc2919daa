import { fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { ReferenceSetting } from '../reference/setting.ts'
import { meanOf, quantile } from '../support/load.ts'
import type { Place } from '../support/place.ts'
import { note, recorderOf } from '../support/report.ts'
import type { EngineName, Job, Outcome } from './child.ts'
import type { SearchDoc } from './engine.ts'
import { mixedQueries } from './queries.ts'

const queryCount = 2_000
const tenfold = 10

const inMs = (value: number): string => `${value.toFixed(3)} ms`

/** Compares search in process with SQLite FTS5, and with search in a tenth of the instruments. */
export async function benchSearch(setting: ReferenceSetting): Promise<void> {
  const { place } = setting
  const docs = await setting.docs()
  const [ours, theirs] = await runEngines(['refdesk', 'sqlite'], docs, place)
  const [mean, rival] = [meanOf(ours?.queryMs ?? []), meanOf(theirs?.queryMs ?? [])]
  const { atLeast, atMost, below } = recorderOf('Search in process')
  const sides = { ours: `mean ${inMs(mean)}`, rival: `SQLite FTS5: ${inMs(rival)}` }
  atLeast('times faster than SQLite FTS5', rival / mean, 15, sides)
  atMost('p99', quantile(ours?.queryMs ?? [], 0.99), 0.3, { unit: 'ms' })

  const fewer = docs.filter((_, index) => index % tenfold === 0)
  const [small] = await runEngines(['refdesk'], fewer, place)
  const before = meanOf(small?.queryMs ?? [])
  const name = `growth, ${fewer.length.toLocaleString('en')} to ${docs.length.toLocaleString('en')} instruments`
  below(name, mean / before, 2, { ours: inMs(mean), rival: inMs(before) })
}

/** Runs the same queries on each engine, one after the other, each in its own process. */
async function runEngines(
  engines: readonly EngineName[],
  docs: readonly SearchDoc[],
  { folder, signal }: Place,
): Promise<Outcome[]> {
  const queries = mixedQueries(docs, queryCount)
  const docsFile = join(folder, `docs-${docs.length}.ndjson`)
  await pipeline(Readable.from(docs.values().map((doc) => `${JSON.stringify(doc)}\n`)), createWriteStream(docsFile))
  const outcomes: Outcome[] = []
  for (const engine of engines) outcomes.push(await runChild({ engine, docsFile, queries }, signal))
  const [ours, theirs = ours] = outcomes
  const differing = queries.filter((_, index) => ours?.pages[index] !== theirs?.pages[index])
  if (differing.length > 0) note(`The engines order ${differing.length} of ${queryCount} pages differently`)
  return outcomes
}

function runChild(job: Job, signal: AbortSignal): Promise<Outcome> {
  const script = fileURLToPath(new URL('child.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--max-old-space-size=8192'], serialization: 'advanced', signal })
  return new Promise((resolve, reject) => {
    child.once('message', (outcome: Outcome) => resolve(outcome))
    child.once('error', reject)
    child.once('exit', (code, ending) => reject(new Error(`${job.engine} ended early: ${ending ?? code}`)))
    child.send(job)
  })
}
