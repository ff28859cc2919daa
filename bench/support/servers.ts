import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, get } from './wire.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const startSeconds = 20
const stopSeconds = 10

export type Server = Readonly<{ port: number; pid: number }>

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, 'localhost', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** Server processes for the length of a run. What they log goes to files, as an operator would have it. */
export class Servers {
  readonly #folder: string
  readonly #running: ChildProcess[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Starts a script of this project; resolves when it answers at `readyPath`, with whatever status below 500. */
  async start(
    script: string,
    env: Record<string, string>,
    { args = [], readyPath = '/', port }: { args?: string[]; readyPath?: string; port?: number } = {},
  ): Promise<Server> {
    const chosen = port ?? (await freePort())
    const logFile = join(this.#folder, `${chosen}.log`)
    const log = openSync(logFile, 'a', 0o600)
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS, ...env, PORT: String(chosen) },
      stdio: ['ignore', 'ignore', log],
    })
    closeSync(log)
    this.#running.push(child)
    for (let waited = 0; waited < startSeconds * 20; waited++) {
      if (hasEnded(child)) break
      const answer = await ask(chosen, get(readyPath)).catch(() => undefined)
      if (answer && answer.status < 500) return { port: chosen, pid: child.pid ?? 0 }
      await sleep(50)
    }
    throw new Error(`${script} did not come up:\n${await readFile(logFile, 'utf8')}`)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map(stopChild))
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
