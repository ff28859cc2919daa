import { readFileSync } from 'node:fs'
import { medianOf } from '../support/load.ts'
import type { Engine, SearchDoc } from './engine.ts'
import { refdesk } from './refdesk.ts'
import { sqlite } from './sqlite.ts'

const engines = { refdesk, sqlite }
export type EngineName = keyof typeof engines

export type Job = Readonly<{ engine: EngineName; docsFile: string; queries: readonly string[] }>
/** For each query in order, the median over the passes, and the ids of the first page. */
export type Outcome = Readonly<{ queryMs: readonly number[]; pages: readonly string[] }>

const warmUpMs = 1_000
/** Several passes reduce the noise of other processes. */
const passes = 5

/** Runs in its own process, so that engines do not share a heap. */
function run({ engine: name, docsFile, queries }: Job): Outcome {
  const engine: Engine = engines[name]()
  const lines = readFileSync(docsFile, 'utf8').trimEnd().split('\n')
  engine.build(lines.map((line): SearchDoc => JSON.parse(line)))
  const warmUntil = performance.now() + warmUpMs
  for (let next = 0; performance.now() < warmUntil; next = (next + 1) % queries.length)
    engine.search(queries[next] ?? '')
  const times = Array.from({ length: passes }, () => timesOf(engine, queries))
  return {
    queryMs: queries.map((_, index) => medianOf(times.map((pass) => pass[index] ?? Number.NaN))),
    pages: queries.map((query) => engine.search(query).join()),
  }
}

const timesOf = (engine: Engine, queries: readonly string[]): number[] =>
  queries.map((query) => {
    const start = performance.now()
    engine.search(query)
    return performance.now() - start
  })

// The parent has ended.
process.once('disconnect', () => process.exit())
process.once('message', (job: Job) => {
  process.send?.(run(job), () => process.disconnect?.())
})
