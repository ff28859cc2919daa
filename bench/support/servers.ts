import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BenchDatabase } from './refdesk.ts'
import { ask, get } from './wire.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = 'src/cli/cli.ts'
const startsWithinSeconds = 180
const stopSeconds = 10

export type Server = Readonly<{ port: number; pid: number }>
export type Node = Server & Readonly<{ database: BenchDatabase; readySeconds: number }>
type Settings = Record<string, string>

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, 'localhost', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Processes that run until the benchmark ends. Their logs go to files, as in production. */
export class Servers {
  readonly #folder: string
  readonly #running = new Set<ChildProcess>()
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts `refdesk serve` and measures the time until it is ready. */
  async serve(database: BenchDatabase, more: Settings = {}): Promise<Node> {
    const start = performance.now()
    const server = await this.#start(script, ['serve'], { ...database.settings, ...more }, '/health/ready')
    return { ...server, database, readySeconds: (performance.now() - start) / 1_000 }
  }

  /** Starts a script of bench/rivals. */
  startRival(name: string, settings: Settings = {}, readyPath = '/'): Promise<Server> {
    return this.#start(`bench/rivals/${name}.ts`, [], settings, readyPath)
  }

  /** Runs a command of refdesk to its end; returns the seconds it took. */
  async run(args: string[], settings: Settings): Promise<number> {
    const start = performance.now()
    const { child, logFile } = this.#spawn(script, args, settings, `${args[0]}-${start.toFixed()}`)
    await new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject))
    this.#running.delete(child)
    if (child.exitCode !== 0) throw new Error(`${args.join(' ')} failed:\n${await readFile(logFile, 'utf8')}`)
    return (performance.now() - start) / 1_000
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

  /** Resolves when `readyPath` returns a status below 500. */
  async #start(file: string, args: string[], settings: Settings, readyPath: string): Promise<Server> {
    const port = await freePort()
    const { child, logFile } = this.#spawn(file, args, { ...settings, PORT: String(port) }, String(port))
    const until = performance.now() + startsWithinSeconds * 1_000
    while (performance.now() < until && !hasEnded(child)) {
      const answer = await ask(port, get(readyPath)).catch(() => undefined)
      if (answer && answer.status < 500) return { port, pid: child.pid ?? 0 }
      await sleep(50)
    }
    throw new Error(`${file} did not start:\n${await readFile(logFile, 'utf8')}`)
  }

  #spawn(file: string, args: string[], settings: Settings, logName: string) {
    if (this.#isClosed) throw new Error('The run is over.')
    const logFile = join(this.#folder, `${logName}.log`)
    const log = openSync(logFile, 'a', 0o600)
    const child = spawn(process.execPath, [join(root, file), ...args], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS, ...settings },
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
