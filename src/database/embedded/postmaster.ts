import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Postmaster {
  readonly pid: number
  /** The folder of its socket, or its address. */
  readonly host: string
  readonly port: number
}

/** True if a process has this id, including another user's process and a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The running PostgreSQL of this cluster. Its pid file alone proves nothing: after a crash the id may be reused. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!(await isPostmaster(pid, cluster))) return undefined
  return { pid, host: lines[4]?.trim() || '127.0.0.1', port: Number(lines[3]) || 5432 }
}

export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0) || !isAlive(pid)) return false
  const words = await commandLine(pid)
  if (!/^postgres(\.exe)?$/.test(basename(words[0] ?? ''))) return false
  const folder = words[words.indexOf('-D') + 1]
  if (!words.includes('-D') || folder === undefined || !isAbsolute(folder)) return true
  const [actual, expected] = await Promise.all([folder, cluster].map((path) => realpath(path).catch(() => path)))
  return actual === expected
}

/** The words of a process's command line; none for a zombie. Only Linux returns more than the program. */
async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter((word) => word !== '')
  const isWindows = process.platform === 'win32'
  const program = isWindows ? 'tasklist' : 'ps'
  const args = isWindows ? ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'] : ['-p', String(pid), '-o', 'comm=']
  const { stdout } = await run(program, args, { timeout: 30_000 }).catch(() => ({ stdout: '' }))
  return [isWindows ? (stdout.split('"')[1] ?? '') : stdout.trim()]
}

/** The PostgreSQL programs, or the `unshare` that is about to become one, whose data folder (-D) has this path or, if it
 *  ends with a hyphen, begins with it. */
export async function findPrograms(path: string): Promise<number[]> {
  const wanted = path.endsWith('-') ? ` -D ${path}` : ` -D ${path} `
  const isOurs = (line: string) => line.includes(wanted) && /^(postgres|initdb|unshare)$/.test(programOf(line))
  return (await commandLines()).filter(([, line]) => isOurs(`${line} `)).map(([pid]) => pid)
}

/** Without its folder, which may contain spaces. */
const programOf = (line: string): string => basename(line.replace(/ -.*/s, ''))

async function commandLines(): Promise<[pid: number, line: string][]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
    return Promise.all(pids.map(async (pid) => [pid, (await commandLine(pid)).join(' ')]))
  }
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,args='], { timeout: 30_000, maxBuffer: 2 ** 26 })
  return stdout.split('\n').map((line) => {
    const [, pid, args = ''] = /^ *(\d+) (.*)$/.exec(line) ?? []
    return [Number(pid), args]
  })
}

/** Removes lock files that PostgreSQL would trust by mistake: the id belongs to another program now, or a full disk
 *  left the file empty. */
export async function removeStaleLocks(cluster: string, socketFolder: string): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')]) {
    const [text, found] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => [])
    if (text === undefined || found === undefined) continue
    const pid = Number(text.split('\n')[0])
    const isReused = pid > 0 && isAlive(pid) && !(await isPostmaster(pid, cluster))
    if (isReused || (text === '' && secondsSince(found.mtimeMs) > 5)) await rm(file, { force: true })
  }
}

/** By the machine's clock, which stamps files, whatever time the service simulates. */
const secondsSince = (mtimeMs: number): number => (performance.timeOrigin + performance.now() - mtimeMs) / 1000
