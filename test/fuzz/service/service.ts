import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Order, Report, Usage } from './messages.ts'

type Asked = Order extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never

/** A service in another process, and what it reports of itself. */
export class FuzzedService {
  readonly url: string
  /** What it logged as errors. */
  readonly logged: string[] = []
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (report: Report) => void>()
  #orders = 0
  #isOver = false

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
    child.on('message', (report: Report) => {
      if (report.logged !== undefined) this.logged.push(report.logged)
      else this.#waiting.get(report.id ?? -1)?.(report)
    })
    child.once('exit', () => {
      this.#isOver = true
      for (const resolve of this.#waiting.values()) resolve({})
    })
  }

  static async start(): Promise<FuzzedService> {
    const child = fork(join(import.meta.dirname, 'server.ts'), { serialization: 'advanced', execArgv: [] })
    const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Report | number]
    if (typeof first !== 'object' || first?.url === undefined)
      throw new Error(`The service did not start: ${JSON.stringify(first)}`)
    return new FuzzedService(child, first.url)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async usage(): Promise<Usage> {
    const { usage } = await this.#ask({ ask: 'usage' })
    if (!usage) throw new Error('The process of the service has ended.')
    return usage
  }

  async tokens(): Promise<Record<string, string>> {
    return (await this.#ask({ ask: 'tokens' })).tokens ?? {}
  }

  async advance(seconds: number): Promise<void> {
    await this.#ask({ ask: 'advance', seconds })
  }

  async stop(): Promise<void> {
    if (this.#isOver) return
    const ended = once(this.#child, 'exit')
    this.#child.send({ id: 0, ask: 'stop' })
    await ended
  }

  #ask(asked: Asked): Promise<Report> {
    const id = ++this.#orders
    return new Promise((resolve) => {
      if (this.#isOver) return resolve({})
      this.#waiting.set(id, (report) => {
        this.#waiting.delete(id)
        resolve(report)
      })
      this.#child.send({ id, ...asked })
    })
  }
}
