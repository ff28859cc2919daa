import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedDatabase, startEmbedded } from '../../src/database/embedded/embedded.ts'
import { BenchDatabase } from './refdesk.ts'
import { Servers } from './servers.ts'

/** A temporary folder, a PostgreSQL in it, and processes that end with it. */
export type Place = Readonly<{ folder: string; database: BenchDatabase; servers: Servers; signal: AbortSignal }>

/** Runs the work in a new place and removes it afterwards, also if interrupted. */
export async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
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
  const say = (fields: object, message: string) => console.error(message, fields)
  const log = { info: () => undefined, warn: say, error: say }
  let embedded: EmbeddedDatabase | undefined
  try {
    embedded = await startEmbedded({ dataDir: join(folder, 'data'), log })
    const database = new BenchDatabase(embedded.connection, folder)
    await database.prepare()
    const place = { folder, database, servers, signal: abort.signal }
    await Promise.race([interrupted, abort.signal.aborted ? interrupted : work(place)])
  } finally {
    await servers.close()
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
