import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { findPostmaster, findPrograms, isAlive, isPostmaster } from '../../src/database/embedded/postmaster.ts'
import { socketFolderOf } from '../../src/database/embedded/socket-folder.ts'
import { eventually } from '../support/eventually.ts'
import { environment, projectFolder } from '../support/service/process.ts'

const run = promisify(execFile)
const program = join(projectFolder, 'test/faults/embedded-service.ts')

/** For what lasts only a moment. */
const soon = <T>(attempt: () => Promise<T | undefined>, what: string): Promise<T> => eventually(attempt, what, 20)

/** A data folder in which something is started and ended, and what is left of it. */
export class Place {
  readonly dataDir: string
  readonly children: ChildProcess[] = []

  constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  /** Starts a program as the leader of a process group, as a terminal's shell does. */
  spawn(words: readonly string[], env: Record<string, string> = {}): Started {
    const [first = '', ...rest] = words
    const settings = { DATA_DIR: this.dataDir, PORT: '0', DEMO: 'off', LOG_LEVEL: 'warn' }
    const child = spawn(first, rest, {
      cwd: projectFolder,
      env: environment({ ...settings, ...env }),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.children.push(child)
    return new Started(child)
  }

  /** The program of embedded-service.ts. */
  service(way = 'signal'): Started {
    return this.spawn([process.execPath, program, this.dataDir, way])
  }

  postmaster = async (): Promise<number> =>
    Number((await readFile(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

  /** False also for a process that has ended and whose parent has not asked for its exit code. */
  isRunning = (postmaster: number): Promise<boolean> => isPostmaster(postmaster, join(this.dataDir, 'postgres'))

  /** Resolves when PostgreSQL has been started, though it may not accept connections yet. */
  isStarting = async (): Promise<number> =>
    soon(async () => (await findPrograms(join(this.dataDir, 'postgres')))[0], 'the start of PostgreSQL')

  isInitialising = async (): Promise<number> =>
    soon(async () => (await findPrograms(join(this.dataDir, 'postgres.new-')))[0], 'the start of initdb')

  logLength = async (): Promise<number> => (await readFile(join(this.dataDir, 'postgres.log'), 'utf8')).length

  /** Resolves when PostgreSQL logs, after this much of its log, that it was asked to stop. */
  isStopping = async (before: number): Promise<true> =>
    soon(async () => {
      const log = await readFile(join(this.dataDir, 'postgres.log'), 'utf8')
      return log.slice(before).includes('fast shutdown request') || undefined
    }, 'the stop of PostgreSQL')

  /** Resolves when no process and no socket folder is left. */
  async isEmpty(): Promise<void> {
    await eventually(async () => {
      // The processes are looked at last, because that takes longer.
      assert.deepEqual(await filesOf(this.dataDir), [])
      assert.deepEqual(await processesOf(this.dataDir), [])
      return true
    })
  }

  /** After a failed test. */
  async clear(): Promise<void> {
    for (const { pid = 0 } of this.children.splice(0)) if (isAlive(-pid)) process.kill(-pid, 'SIGKILL')
    const own = (await processesOf(this.dataDir)).map((line) => Number(line.split(' ')[0]))
    for (const pid of own) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  }
}

class Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly ended: Promise<unknown>
  /** What it wrote to standard output and standard error. */
  output = ''

  constructor(child: ChildProcess) {
    this.child = child
    this.pid = child.pid ?? 0
    this.ended = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk
      })
  }

  /** Resolves when it serves, or a command has joined the database. */
  async ready(): Promise<this> {
    await eventually(async () => {
      if (this.child.exitCode !== null) assert.fail(`it ended: ${this.output}`)
      return /"connection"|is ready\./.test(this.output) || undefined
    }, 'the start')
    return this
  }

  kill(...signals: NodeJS.Signals[]): void {
    for (const signal of signals) sendTo(this.pid, signal)
  }

  killGroup(...signals: NodeJS.Signals[]): void {
    for (const signal of signals) sendTo(-this.pid, signal)
  }

  /** The reader of its output goes away. */
  closeReader(): void {
    this.child.stdout?.destroy()
    this.child.stderr?.destroy()
  }

  go(): void {
    this.child.stdin?.write('go\n')
  }
}

/** The processes that name the folder or work in it: ids and command lines. */
async function processesOf(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 2 ** 26 })
    const lines = stdout.split('\n').map((line) => line.trim())
    return lines.filter((line) => line.includes(folder))
  }
  // Synchronous: a promise for each file of each process would need most of the processor time of these tests.
  return readdirSync('/proc')
    .filter((name) => Number(name) > 0)
    .flatMap((pid) => {
      const words = unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      const isOurs = words.includes(folder) || unlessGone(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder)
      return isOurs ? [`${pid} ${words.replaceAll('\0', ' ')}`] : []
    })
}

/** Empty if the process has ended meanwhile, or belongs to another user. */
function unlessGone(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** The socket folder, what an initdb has begun, and the process of a running PostgreSQL, as far as they exist. */
async function filesOf(dataDir: string): Promise<string[]> {
  const socket = socketFolderOf(dataDir, { owner: undefined })
  const left = await stat(socket).then(
    () => [socket],
    () => [],
  )
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))
  const running = await findPostmaster(join(dataDir, 'postgres'))
  return [...left, ...files, ...(running ? [`PostgreSQL ${running.pid}`] : [])]
}

/** So many data folders with a copy of one cluster, which tests take in turns. */
export async function prepareFolders(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-orphans-'))
  const made = new Place(join(folder, 'first'))
  const first = await made.service().ready()
  first.kill('SIGTERM')
  await first.ended
  await made.isEmpty()
  const free: Place[] = [made]
  for (let copy = 1; copy < count; copy++) {
    const dataDir = join(folder, `copy-${copy}`)
    await cp(made.dataDir, dataDir, { recursive: true })
    free.push(new Place(dataDir))
  }
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

  async function use(place: Place, work: (place: Place) => Promise<unknown>): Promise<void> {
    try {
      await work(place)
      await place.isEmpty()
    } finally {
      await place.clear()
    }
  }
  return {
    /** Runs with one of the folders and checks that nothing is left. */
    async inUsedFolder(work: (place: Place) => Promise<unknown>): Promise<void> {
      const place = free.pop()
      assert.ok(place, 'more tests at once than folders')
      await use(place, work).finally(() => free.push(place))
    },
    async inNewFolder(work: (place: Place) => Promise<unknown>): Promise<void> {
      await use(new Place(await mkdtemp(join(folder, 'new-'))), work)
    },
  }
}

/** A process that is ending may be gone when the signal is sent; what it leaves is checked all the same. */
function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
