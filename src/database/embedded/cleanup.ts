import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../core/network/outage.ts'
import { databasePassword, removeLeftovers } from './cluster.ts'
import { findPostmaster, findPrograms, isAlive, type Postmaster } from './postmaster.ts'
import { stopPostmaster } from './process.ts'
import { connect, isSilent, isUnused, type Session, silentSeconds } from './session.ts'
import { removeSocketFolder } from './socket-folder.ts'

/** Started by the guard of a process that has ended without stopping the bundled PostgreSQL: stops it, unless another
 *  process uses it. node cleanup.ts <dataDir> <home> <socketFolder> <id of the guard> <process id> */
const [dataDir = '', home = '', socketFolder = '', id = '', pid = ''] = process.argv.slice(2)
const folder = join(home, 'postgres')
const pauseMs = 20
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

await endInitdb()
if (await stopUnused()) await removeSocketFolder(socketFolder, folder)

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

/** False if another process uses it. That one has a guard of its own. */
async function stopUnused(): Promise<boolean> {
  for (let silentSince = performance.now(); ; await sleep(pauseMs)) {
    const running = await findPostmaster(folder)
    if (!running) {
      // One that has just been started has no lock file yet.
      if ((await findPrograms(folder)).length === 0) return true
      continue
    }
    try {
      if (!(await stopIfUnused(running))) return false
    } catch (error) {
      // It is starting, or another process is stopping it.
      if (!isOutage(error)) throw error
      if (!isSilent(error)) silentSince = performance.now()
      else if (performance.now() - silentSince > silentSeconds * 1000) await stopPostmaster(folder, running.pid, '')
    }
  }
}

async function stopIfUnused(running: Postmaster): Promise<boolean> {
  const session = await connect({ password: await databasePassword(dataDir), guard: { id: `${id} guard` } }, running)
  try {
    if (!(await isLast(session))) return false
    await stopPostmaster(folder, running.pid, '')
    return true
  } finally {
    await session.end()
  }
}

/** PostgreSQL may take a moment to notice that the process has ended. */
async function isLast(session: Session): Promise<boolean> {
  const query = 'select 1 from pg_stat_activity where application_name = $1'
  while ((await session.client.query(query, [id])).rowCount) await sleep(pauseMs)
  return isUnused(session)
}
