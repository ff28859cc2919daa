import { setTimeout as sleep } from 'node:timers/promises'
import { type CauseFault, seconds } from './target.ts'

export const killPrimary: CauseFault = async ({ cluster }, { seconds: pause }) => {
  const { pair } = cluster
  await pair.kill(pair.primary, 'SIGKILL')
  await sleep(pause * 1_000)
  await pair.start(pair.primary)
  await cluster.followReplica()
  return `restarted after ${seconds(pause)}`
}

export const stopPrimary: CauseFault = async ({ cluster }, fault) => {
  const { pair } = cluster
  await pair.kill(pair.primary, 'SIGSTOP')
  try {
    await sleep(fault.seconds * 1_000)
  } finally {
    await pair.kill(pair.primary, 'SIGCONT')
  }
  await cluster.followReplica()
  return `for ${seconds(fault.seconds)}`
}

/** Commits wait for the replica until the cluster manager notices that it is gone. */
const noticeMs = (degree: number): number => degree * 2_000

export const killReplica: CauseFault = async ({ cluster }, fault) => {
  const { pair } = cluster
  await pair.kill(pair.replica, 'SIGKILL')
  await sleep(noticeMs(fault.degree))
  await cluster.dropReplica()
  await sleep(fault.seconds * 1_000)
  await pair.start(pair.replica)
  await cluster.followReplica()
  return `noticed after ${seconds(noticeMs(fault.degree) / 1_000)}, restarted after ${seconds(fault.seconds)}`
}

export const stopReplica: CauseFault = async ({ cluster }, fault) => {
  const { pair } = cluster
  await pair.kill(pair.replica, 'SIGSTOP')
  try {
    await sleep(noticeMs(fault.degree))
    await cluster.dropReplica()
    await sleep(fault.seconds * 1_000)
  } finally {
    await pair.kill(pair.replica, 'SIGCONT')
  }
  await cluster.followReplica()
  return `noticed after ${seconds(noticeMs(fault.degree) / 1_000)}, for ${seconds(fault.seconds)}`
}

/** The primary is killed and the replica takes its place. Writes must work before there is a new replica, which a copy
 *  of the new primary becomes afterwards. */
export const promoteReplica: CauseFault = async ({ cluster, context: { window }, untilServing }, fault) => {
  const { pair } = cluster
  await pair.kill(pair.primary, 'SIGKILL')
  await sleep(fault.degree * 2_000)
  await pair.promote()
  window.end()
  await untilServing('writes')
  const writes = window.lastRecoverySeconds
  window.begin('the replica was rebuilt')
  await pair.rebuild()
  await cluster.followReplica()
  return `server ${pair.primary.name} is primary, writes after ${seconds(writes)}, replica rebuilt`
}

/** Fills the disk of the primary and writes until PostgreSQL notices. */
export const fillDisk: CauseFault = async ({ cluster }, fault) => {
  const { pair } = cluster
  const { primary } = pair
  const disk = cluster.diskOf(primary)
  if (!disk.isSmall) return 'skipped: a small file system cannot be mounted here; run the campaign as root'
  await disk.fill()
  let failure = ''
  try {
    for (let written = 0; written < 64 && failure === ''; written++)
      await cluster
        .query("select pg_logical_emit_message(false, 'campaign', repeat('x', 1000000))")
        .catch((error: Error) => {
          failure = error.message
        })
    await sleep(fault.seconds * 1_000)
  } finally {
    await disk.free()
  }
  await cluster.revive(primary)
  await cluster.followReplica()
  return `${failure === '' ? 'not noticed' : `noticed`}, for ${seconds(fault.seconds)}`
}
