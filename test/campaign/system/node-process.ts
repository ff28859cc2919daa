import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, type WriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { environment, projectFolder } from '../../support/service/system.ts'

const preload = pathToFileURL(join(projectFolder, 'test/campaign/system/shift-clock.ts')).href

type Options = Readonly<{
  name: string
  folder: string
  port: number
  env: Record<string, string>
  /** It ended although nothing killed it. */
  onUnexpectedEnd(reason: string): void
}>

/** A `refdesk serve` with a supervisor, which starts it again whenever it ends, as systemd and Kubernetes do. */
export class NodeProcess {
  readonly #options: Options
  readonly #log: WriteStream
  readonly #clockFile: string
  #child: ChildProcess | undefined
  #isStopping = false
  #isKilled = false
  /** Until it listens after a kill, a failed start is the supervisor's business. */
  #isStarting = true
  #restartPauseMs = 200

  constructor(options: Options) {
    this.#options = options
    // A run of tests looks for secrets in all logs.
    const logFolder = process.env.REFDESK_TEST_LOG ?? options.folder
    this.#log = createWriteStream(join(logFolder, `campaign-${options.name}.log`), { flags: 'a' })
    this.#clockFile = join(options.folder, `${options.name}.clock`)
    writeFileSync(this.#clockFile, '0')
  }

  get url(): string {
    return `http://localhost:${this.#options.port}`
  }

  get baseUrl(): string {
    return `${this.url}/sim/openapi`
  }

  /** Resolves when it is ready for the first time. */
  async start(): Promise<void> {
    void this.#supervise()
    await this.ready()
  }

  async ready(): Promise<void> {
    while (!(await this.#isReady())) await sleep(50)
    this.#isStarting = false
  }

  /** kill -9; the supervisor starts it again after a pause. Resolves when that begins. */
  async kill(pauseMs: number): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#isKilled = true
    this.#isStarting = true
    this.#restartPauseMs = pauseMs
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    while (this.#child === child || this.#child === undefined) await sleep(10)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  /** Moves the clock of the process, as if that of its machine were wrong. */
  shiftClock(milliseconds: number): void {
    writeFileSync(this.#clockFile, String(milliseconds))
    this.#child?.kill('SIGUSR2')
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(limit)
  }

  async #supervise(): Promise<void> {
    while (!this.#isStopping) {
      const child = this.#spawn()
      this.#child = child
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (this.#isStopping) return
      if (!this.#isKilled && !this.#isStarting) this.#options.onUnexpectedEnd(`exit ${code ?? signal}`)
      this.#isKilled = false
      this.#child = undefined
      await sleep(this.#restartPauseMs)
      this.#restartPauseMs = 200
    }
  }

  #spawn(): ChildProcess {
    const { port, env, folder, name } = this.#options
    const child = spawn(process.execPath, ['--import', preload, join(projectFolder, 'src/cli/cli.ts'), 'serve'], {
      cwd: projectFolder,
      env: environment({ ...env, PORT: String(port), DATA_DIR: join(folder, name), CLOCK_FILE: this.#clockFile }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(this.#log, { end: false })
    return child
  }

  async #isReady(): Promise<boolean> {
    const options = { signal: AbortSignal.timeout(2_000) }
    return fetch(`${this.url}/health/ready`, options).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status === 200
      },
      () => false,
    )
  }
}
