import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchBearer } from './auth-bearer.ts'
import { benchRefresh } from './auth-refresh.ts'
import { benchRevocation } from './auth-revocation.ts'
import { BenchDatabase } from './support/refdesk.ts'
import { machine } from './support/report.ts'
import { Servers } from './support/servers.ts'

export type Setting = Readonly<{ database: BenchDatabase; servers: Servers }>

const parts: Record<string, (setting: Setting) => Promise<void>> = {
  refresh: benchRefresh,
  bearer: benchBearer,
  revocation: benchRevocation,
}

/** Runs the parts that were named, or all, each with servers of its own on one database. Leaves nothing behind. */
export async function benchAuth(words: string[]): Promise<void> {
  const unknown = words.filter((word) => !parts[word])
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-bench-'))
  const servers = new Servers(folder)
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
  })
  let database: BenchDatabase | undefined
  try {
    machine()
    database = await BenchDatabase.start(folder)
    for (const name of words.length > 0 ? words : Object.keys(parts)) {
      await Promise.race([parts[name]?.({ database, servers }), interrupted])
      await servers.stop()
    }
  } finally {
    await servers.stop()
    await database?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
