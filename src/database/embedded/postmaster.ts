import { execFile } from 'node:child_process'
import { readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

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

export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
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
