import { type ChildProcess, execFile } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isPostmaster } from './postmaster.ts'
import type { Runner } from './runner.ts'

const run = promisify(execFile)
const stopSeconds = 10
const maxLogBytes = 5_000_000

export interface Launched {
  hasExited(): boolean
  /** Whether it ended because someone stopped it. */
  wasStopped(): boolean
  end(): Promise<void>
  /** Why PostgreSQL ended, from what it logged since this start. */
  reason(): Promise<string>
}

/** Starts PostgreSQL. It logs to a file, because it may outlive this process. */
export async function launch(runner: Runner, args: string[], logFile: string): Promise<Launched> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size > maxLogBytes) await truncate(logFile)
  const from = size > maxLogBytes ? 0 : size
  const log = await open(logFile, 'a', 0o600)
  let exited = false
  let exitCode: unknown
  let child: ChildProcess
  try {
    child = runner.spawn(runner.binaries.postgres, args, ['ignore', log.fd, log.fd])
    const onExit = (code: unknown) => {
      exited = true
      exitCode = code
    }
    child.on('error', onExit).on('exit', onExit).unref()
  } finally {
    await log.close()
  }
  return {
    hasExited: () => exited,
    wasStopped: () => exitCode === 0,
    end: async () => {
      child.kill('SIGINT')
      for (let waited = 0; waited < stopSeconds * 1000 && !exited; waited += 20) await sleep(20)
      if (!exited) child.kill('SIGKILL')
    },
    reason: async () => lastErrors((await readFile(logFile)).subarray(from).toString('utf8')),
  }
}

/** Without the lines that say it was starting up when we tried to connect. */
function lastErrors(log: string): string {
  const lines = log.trim().split('\n')
  const errors = lines.filter((line) => /FATAL|PANIC|error/.test(line) && !/the database system is/.test(line))
  return (errors.length > 0 ? errors : lines).slice(-3).join('\n')
}

/** Fast shutdown: ends sessions and writes everything. Immediate shutdown if that takes too long. */
export async function stopPostmaster(cluster: string, pid: number, pgCtl: string): Promise<void> {
  if (process.platform === 'win32') {
    const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', String(stopSeconds)]
    await run(pgCtl, args, { timeout: (stopSeconds + 2) * 1000 }).catch(() => undefined)
    return
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await isPostmaster(pid, cluster))) return
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile.
    }
    for (let waited = 0; waited < stopSeconds * 1000; waited += 20) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(20)
    }
  }
}
