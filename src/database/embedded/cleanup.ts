import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { databasePassword, removeLeftovers } from './cluster.ts'
import { findPrograms, isAlive } from './postmaster.ts'
import { stopUnused } from './unused.ts'

/** Started by the guard of a process that has ended without stopping the bundled PostgreSQL: stops it, unless another
 *  process uses it. node cleanup.ts <dataDir> <home> <socketFolder> <id of the guard> <process id> */
const [dataDir = '', home = '', socketFolder = '', id = '', pid = ''] = process.argv.slice(2)
const folder = join(home, 'postgres')
const pauseMs = 20
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

await endInitdb()
const password = () => databasePassword(dataDir)
await stopUnused(
  { folder, socketFolder, pgCtl: '', id, askedBy: `${id} guard`, password },
  new AbortController().signal,
)

/** initdb removes what it has made when it is asked to end. */
async function endInitdb(): Promise<void> {
  const since = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    const found = await findPrograms(join(home, `postgres.new-${pid}-`))
    if (found.length === 0) break
    const isLate = performance.now() - since > 10_000
    for (const each of found) if (isFirst || isLate) kill(each, isLate ? 'SIGKILL' : 'SIGTERM')
    await sleep(pauseMs)
  }
  await removeLeftovers(home, Number(pid))
}

function kill(each: number, signal: NodeJS.Signals): void {
  if (isAlive(each)) process.kill(each, signal)
}
