import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../core/network/outage.ts'
import { findPostmaster, findPrograms, type Postmaster } from './postmaster.ts'
import { stopPostmaster } from './process.ts'
import { connect, isSilent, isUnused, lockTimeout, type Session, silentSeconds } from './session.ts'
import { removeSocketFolder } from './socket-folder.ts'

/** A cluster that a process leaves, and how to ask it. */
type Left = Readonly<{
  folder: string
  socketFolder: string
  pgCtl: string
  /** The application name of the sessions of the process that leaves. */
  id: string
  /** The application name of the session that asks. */
  askedBy: string
  password: () => Promise<string>
}>

const pauseMs = 20
const isWindows = process.platform === 'win32'

/** Stops PostgreSQL, unless another process uses it: that one stops it later, or its guard does. Asks over new connections
 *  until there is an answer, or until the signal, by which it fails. */
export async function stopUnused(cluster: Left, signal: AbortSignal): Promise<void> {
  const { folder, pgCtl, socketFolder } = cluster
  let silentSince = performance.now()
  const notSilent = () => {
    silentSince = performance.now()
  }
  for (; ; await sleep(pauseMs, undefined, { signal })) {
    const running = await findPostmaster(folder)
    if (!running) {
      // One that has just been started has no lock file yet.
      if (!isWindows && (await findPrograms(folder)).length > 0) continue
      if (!isWindows) await removeSocketFolder(socketFolder, folder)
      return
    }
    try {
      if (!(await stopIfUnused(cluster, running, notSilent, signal))) return
    } catch (error) {
      // It is busy or starting, or another process is stopping it.
      if (!isOutage(error)) throw error
      if (!isSilent(error)) notSilent()
      else if (performance.now() - silentSince > silentSeconds * 1000) await stopPostmaster(folder, running.pid, pgCtl)
    }
  }
}

async function stopIfUnused(
  { folder, pgCtl, id, askedBy, password }: Left,
  running: Postmaster,
  onConnected: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const session = await connect({ password: await password(), guard: { id: askedBy } }, running)
  onConnected()
  try {
    await otherSessionsEnd(session, id, signal)
    if (!(await isUnused(session))) return false
    await stopPostmaster(folder, running.pid, pgCtl)
    return true
  } finally {
    await session.end()
  }
}

/** PostgreSQL may take a moment to notice that a connection has ended. Until then its session counts as a user. */
async function otherSessionsEnd({ client }: Session, id: string, signal: AbortSignal): Promise<void> {
  const text = 'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()'
  while ((await client.query({ text, values: [id], ...lockTimeout })).rowCount)
    await sleep(pauseMs, undefined, { signal })
}
