import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, get } from './wire.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stopSeconds = 10

export type Server = Readonly<{ port: number; pid: number }>

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, 'localhost', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** As `npm start` sets it, and for rivals too. */
const memorySettings = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1' }

/** Processes that run until the benchmark ends. Their logs go to files, as in production. */
export class Servers {
  readonly #folder: string
  readonly #running = new Set<ChildProcess>()
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts a script of this project; resolves when `readyPath` returns a status below 500. */
  async start(
    script: string,
    env: Record<string, string>,
    options: { args?: string[]; readyPath?: string; port?: number; withinSeconds?: number } = {},
  ): Promise<Server> {
    const { args = [], readyPath = '/', withinSeconds = 20 } = options
    const port = options.port ?? (await freePort())
    const { child, logFile } = this.#spawn(script, args, { ...env, PORT: String(port) }, String(port))
    const until = performance.now() + withinSeconds * 1_000
    while (performance.now() < until) {
      if (hasEnded(child)) break
      const answer = await ask(port, get(readyPath)).catch(() => undefined)
      if (answer && answer.status < 500) return { port, pid: child.pid ?? 0 }
      await sleep(50)
    }
    throw new Error(`${script} did not start:\n${await readFile(logFile, 'utf8')}`)
  }

  /** Runs a script of this project; returns the seconds it took. */
  async run(script: string, args: string[], env: Record<string, string>): Promise<number> {
    const start = performance.now()
    const { child, logFile } = this.#spawn(script, args, env, `${args[0]}-${start.toFixed()}`)
    await new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject))
    const took = (performance.now() - start) / 1_000
    this.#running.delete(child)
    if (child.exitCode !== 0) throw new Error(`${args.join(' ')} failed:\n${await readFile(logFile, 'utf8')}`)
    return took
  }

  /** Stops one server, or all processes. */
  async stop(only?: Server): Promise<void> {
    const children = [...this.#running].filter(({ pid }) => !only || pid === only.pid)
    for (const child of children) this.#running.delete(child)
    await Promise.all(children.map(stopChild))
  }

  /** Stops everything and prevents new processes, because an interrupted run may still be working. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.stop()
  }

  #spawn(script: string, args: string[], env: Record<string, string>, logName: string) {
    if (this.#isClosed) throw new Error('The run is over.')
    const logFile = join(this.#folder, `${logName}.log`)
    const log = openSync(logFile, 'a', 0o600)
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS, ...memorySettings, ...env },
      stdio: ['ignore', 'ignore', log],
    })
    closeSync(log)
    this.#running.add(child)
    return { child, logFile }
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), stopSeconds * 1_000)
  await ended
  clearTimeout(force)
}
