import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BenchDatabase } from './refdesk.ts'
import { Servers } from './servers.ts'

/** What a benchmark runs in: a temporary folder, a PostgreSQL in it, and processes that end with it. */
export type Place = Readonly<{
  folder: string
  database: BenchDatabase
  servers: Servers
  signal: AbortSignal
  /** Fewer and shorter rounds. */
  isShort: boolean
}>

/** Runs the work in a new place and removes it afterwards, also if interrupted. */
export async function inPlace(work: (place: Place) => Promise<void>, { isShort = false } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-bench-'))
  const servers = new Servers(folder)
  const abort = new AbortController()
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        reject(new Error(`Interrupted by ${signal}.`))
        abort.abort()
      })
  })
  // Handled by the race below; until then a rejection must not end the process.
  interrupted.catch(() => undefined)
  let database: BenchDatabase | undefined
  try {
    database = await BenchDatabase.start(folder)
    const place = { folder, database, servers, signal: abort.signal, isShort }
    await Promise.race([interrupted, abort.signal.aborted ? interrupted : work(place)])
  } finally {
    await servers.close()
    await database?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The named parts, or all. */
export function chosenParts<P>(parts: Readonly<Record<string, P>>, words: readonly string[]): [string, P][] {
  const unknown = words.filter((word) => !(word in parts))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
  return Object.entries(parts).filter(([name]) => words.length === 0 || words.includes(name))
}

export type BenchOptions = Readonly<{ universe?: string | undefined; size?: string | undefined }>
