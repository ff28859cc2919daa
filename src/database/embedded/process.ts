import { type ChildProcess, execFile } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isPostmaster } from './postmaster.ts'
import type { Runner } from './runner.ts'

const run = promisify(execFile)
const stopSeconds = 10
const logBytes = 5_000_000

export interface Launched {
  hasExited(): boolean
  end(): Promise<void>
  /** What PostgreSQL said since this start. */
  said(): Promise<string>
}

/** Starts PostgreSQL; its log is a file, because it may outlive us and would then write to nobody. */
export async function launch(runner: Runner, args: string[], logFile: string): Promise<Launched> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > logBytes) await truncate(logFile)
  const from = size > logBytes ? 0 : size
  const log = await open(logFile, 'a', 0o600)
  let exited = false
  let child: ChildProcess
  try {
    child = runner.spawn(runner.binaries.postgres, args, ['ignore', log.fd, log.fd])
    child.on('error', () => {
      exited = true
    })
    child.on('exit', () => {
      exited = true
    })
    child.unref()
  } finally {
    await log.close()
  }
  return {
    hasExited: () => exited,
    end: async () => {
      child.kill('SIGINT')
      for (let waited = 0; waited < stopSeconds * 1000 && !exited; waited += 20) await sleep(20)
      if (!exited) child.kill('SIGKILL')
    },
    said: async () => lastWords((await readFile(logFile)).subarray(from).toString('utf8')),
  }
}

/** Why it ended, without the answers it gave to us while it was starting. */
function lastWords(log: string): string {
  const lines = log.trim().split('\n')
  const reasons = lines.filter((line) => /FATAL|PANIC|error/.test(line) && !/the database system is/.test(line))
  return (reasons.length > 0 ? reasons : lines).slice(-3).join('\n')
}

/** Fast shutdown: sessions are ended, everything is written. Immediate shutdown when that takes too long. */
export async function stopPostmaster(runner: Runner, cluster: string, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', String(stopSeconds)]
    await run(runner.binaries.pgCtl, args, { timeout: (stopSeconds + 2) * 1000 }).catch(() => undefined)
    return
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await isPostmaster(pid, cluster))) return
    process.kill(pid, signal)
    for (let waited = 0; waited < stopSeconds * 1000; waited += 20) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(20)
    }
  }
}
