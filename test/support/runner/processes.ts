import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../sources.ts'

const runnerFolder = join(root, 'test/support/runner')
const exitGuard = pathToFileURL(join(runnerFolder, 'exit-guard.ts')).href
const reporter = pathToFileURL(join(runnerFolder, 'reporter.ts')).href
const testFlags = ['--import', exitGuard, `--test-reporter=${reporter}`]

interface SpawnOptions {
  cwd?: string
  /** Prints output as it comes. A worker writes one file at a time; other processes print in one piece at their end. */
  isImmediate?: boolean
  onStart?: (child: ChildProcess) => void
}

/** The processes of a run. Each resolves to whether it succeeded; its output appears when it is complete. */
export class Processes {
  readonly #running = new Set<ChildProcess>()
  #isStopped = false
  readonly env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.env = { ...process.env, REFDESK_TEST_STOPPABLE: 'yes', REFDESK_TEST_RUNNER: String(process.pid), ...env }
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Ends all processes. They print the tests that were running. */
  stop(): void {
    this.#isStopped = true
    for (const child of this.#running) child.kill('SIGTERM')
    setTimeout(() => {
      for (const child of this.#running) child.kill('SIGKILL')
    }, 20_000).unref()
  }

  /** A program of node_modules/.bin. */
  program(name: string, args: string[] = []): Promise<boolean> {
    return this.#run(join(root, 'node_modules', '.bin', name), args, this.env)
  }

  /** Node's own test runner, which alone measures coverage. */
  nodeTest(args: string[], files: readonly string[], cwd = root): Promise<boolean> {
    // Without files, Node would search for some.
    if (files.length === 0) return Promise.resolve(true)
    const whole = ['--import', exitGuard, '--test', ...args, ...files]
    return this.#run(process.execPath, whole, this.env, { cwd, isImmediate: true })
  }

  /** One test file in a process of its own. */
  file(file: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
    return this.#run(process.execPath, [...testFlags, file], { ...this.env, ...env })
  }

  /** A worker, which takes files from the queue until it is empty. */
  worker(queue: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
    // A worker creates garbage fast: with more room for new objects it spends less time on collecting it.
    const args = ['--max-semi-space-size=64', ...testFlags, join(runnerFolder, 'worker.ts')]
    const whole = { ...this.env, REFDESK_TEST_WORKER: 'yes', ...env }
    return this.#run(process.execPath, args, whole, {
      isImmediate: true,
      onStart: (child) =>
        child.on('message', () => {
          const name = queue.shift()
          child.send(name === undefined ? {} : { name, url: pathToFileURL(join(root, name)).href })
        }),
    })
  }

  #run(
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    { cwd = root, isImmediate = false, onStart }: SpawnOptions = {},
  ): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false)
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', ...(onStart ? ['ipc' as const] : [])],
    })
    this.#running.add(child)
    onStart?.(child)
    const label = `${program.split('/').at(-1)} ${args.at(-1) ?? ''}`
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
      if (isImmediate) flush()
    }
    const flush = () => {
      process.stdout.write(output)
      output = ''
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    return new Promise((resolve, reject) =>
      child.on('error', reject).on('close', (code, signal) => {
        this.#running.delete(child)
        flush()
        if (code !== 0) console.log(`✖ ${label} ended with ${signal ?? code}`)
        resolve(code === 0)
      }),
    )
  }
}
