import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, projectFolder } from '../../support/service/system.ts'
import { generationRecords, generationsSql, sharesIn } from '../system/data.ts'
import { short } from './caller.ts'
import type { LoadContext } from './context.ts'
import { Lane } from './lane.ts'

type Options = Readonly<{
  folder: string
  env: Record<string, string>
  /** Asks the primary, past all proxies. */
  query(text: string): Promise<Record<string, unknown>[]>
  pauseMs: number
}>

/** What to do to an import: a signal after some milliseconds, and SIGCONT after some more. */
export type Disturbance = Readonly<{ signal: 'SIGKILL' | 'SIGSTOP'; afterMs: number; forMs: number }>

const serveSeconds = 10

/** An operator who imports the whole set again and again, each time as another generation. */
export class ImportLane extends Lane {
  readonly #context: LoadContext
  readonly #options: Options
  #turn: Promise<unknown> = Promise.resolve()
  #latest = 0
  /** The generations that may be there now. */
  #possible = new Set([0])
  #running: number | undefined
  #settledAt = 0
  /** How long the last undisturbed import took. */
  lastMs = 2_000
  readonly #servedBy = [
    { generation: 0, at: 0 },
    { generation: 0, at: 0 },
  ]

  constructor(context: LoadContext, options: Options) {
    super(context.random, options.pauseMs)
    this.#context = context
    this.#options = options
  }

  protected override async step(): Promise<void> {
    await this.import()
  }

  /** Imports the next generation, alone. Returns how it ended. */
  import(disturbance?: Disturbance): Promise<string> {
    const result = this.#turn.then(() => this.#import(disturbance))
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #import(disturbance: Disturbance | undefined): Promise<string> {
    const generation = ++this.#latest
    const file = join(this.#options.folder, 'generation.ndjson')
    await writeFile(file, generationRecords(generation))
    const child = spawn(process.execPath, [join(projectFolder, 'src/cli/cli.ts'), 'import', file], {
      cwd: projectFolder,
      env: environment(this.#options.env),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#possible.add(generation)
    this.#running = generation
    const startedAt = performance.now()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    const ended = once(child, 'close') as Promise<[number | null, string | null]>
    if (disturbance) void disturb(child, disturbance)
    const [code, signal] = await ended
    this.#settledAt = performance.now()
    this.#running = undefined
    if (code === 0) {
      if (!disturbance) this.lastMs = this.#settledAt - startedAt
      this.#possible = new Set([generation])
      this.#context.tally.wrote('imports')
      return 'was applied'
    }
    const last = short(stderr.trim().split('\n').at(-1) ?? '')
    if (/changed nothing|Nothing was changed/.test(stderr)) this.#possible.delete(generation)
    return signal === null ? `failed (${last})` : 'was killed'
  }

  /** A node served this generation: never an older one than before, and soon the one that was acknowledged. */
  served(node: number, generation: number, startedAt: number): void {
    const { findings, window } = this.#context
    const before = this.#servedBy[node]
    if (before && generation < before.generation && startedAt > before.at)
      findings.add('lost', `node ${node + 1} served generation ${before.generation}, and then ${generation}`)
    if (before && generation > before.generation) this.#servedBy[node] = { generation, at: performance.now() }
    if (window.isDisturbed(startedAt) || this.#possible.has(generation)) return
    if (startedAt - this.#settledAt > serveSeconds * 1_000 + window.stallMs + window.starvedMs)
      findings.add(
        'slow recovery',
        `node ${node + 1} serves generation ${generation}, not ${[...this.#possible].join(' or ')}`,
      )
  }

  /** The set in the database is of one generation, and of one that may be there. An import may be under way meanwhile:
   *  waiting for it would take long. */
  override async verify(): Promise<void> {
    const { findings } = this.#context
    const before = new Set(this.#possible)
    const [row] = await this.#options.query(generationsSql)
    const { generations, instruments } = row as { generations: number[]; instruments: number }
    const [generation = -1] = generations
    const possible = before.union(this.#possible)
    if (generations.length !== 1 || instruments !== sharesIn(generation))
      findings.add('half done', `the database has ${instruments} shares of the generations ${generations.join(', ')}`)
    else if (!possible.has(generation))
      findings.add('lost', `the database has generation ${generation}, not ${[...possible].join(' or ')}`)
    // What was imported before this generation, or failed, cannot come any more.
    for (const other of this.#possible)
      if (other !== generation && other !== this.#running) this.#possible.delete(other)
  }

  protected override async check(): Promise<void> {}
}

async function disturb(child: ChildProcess, { signal, afterMs, forMs }: Disturbance): Promise<void> {
  await sleep(afterMs)
  child.kill(signal)
  if (signal === 'SIGKILL') return
  await sleep(forMs)
  child.kill('SIGCONT')
}
