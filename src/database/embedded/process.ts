import { type ChildProcess, execFile } from 'node:child_process'
import { open, readFile, realpath, rm, stat, truncate } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Runner } from './runner.ts'

const run = promisify(execFile)
const stopSeconds = 10
const logBytes = 5_000_000

export interface Postmaster {
  readonly pid: number
  /** The folder of its socket, or its address. */
  readonly host: string
  readonly port: number
}

/** True when a process has this id: also when it is another's, and also when it is a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The living PostgreSQL of this cluster. Its pid file alone proves nothing: after a crash the id may be another's. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0) || !(await isPostmaster(pid, cluster))) return undefined
  return { pid, host: lines[4]?.trim() || '127.0.0.1', port: Number(lines[3]) || 5432 }
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const words = await commandLine(pid)
  const program = basename(words[0] ?? '')
  if (!/^postgres(\.exe)?$/.test(program)) return false
  const folder = words[words.indexOf('-D') + 1]
  if (!words.includes('-D') || folder === undefined || !isAbsolute(folder)) return true
  const [theirs, ours] = await Promise.all([folder, cluster].map((path) => realpath(path).catch(() => path)))
  return theirs === ours
}

/** The words a process was started with; none for a zombie. Only Linux tells them apart. */
async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter((word) => word !== '')
  }
  const [program, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-p', String(pid), '-o', 'comm=']]
  const { stdout } = await run(program as string, args as string[], { timeout: 5000 }).catch(() => ({ stdout: '' }))
  return [process.platform === 'win32' ? (stdout.split('"')[1] ?? '') : stdout.trim()]
}

/** PostgreSQL believes a lock file whose id is alive, whoever has it now, and one that a full disk left empty; we know
 *  better and take such a file away. */
export async function removeStaleLocks(cluster: string, socketFolder: string): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')]) {
    const [text, found] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => [])
    if (text === undefined || found === undefined) continue
    const pid = Number(text.split('\n')[0])
    const isOthers = pid > 0 && isAlive(pid) && !(await isPostmaster(pid, cluster))
    if (isOthers || (text === '' && secondsSince(found.mtimeMs) > 5)) await rm(file, { force: true })
  }
}

/** By the clock of the machine: what files are stamped with, whatever time the service lives in. */
const secondsSince = (mtimeMs: number): number => (performance.timeOrigin + performance.now() - mtimeMs) / 1000

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
