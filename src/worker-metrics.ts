import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, threadId } from 'node:worker_threads'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

type Metrics = MetricObjectWithValues<MetricValue<string>>[]
type Message = Readonly<{ scrape: string; metrics?: Metrics }>

/** A worker that is being replaced does not answer. */
const maxWaitMs = 500

/** The metrics of all workers, which ask each other: a scrape reaches any of them. */
export class WorkerMetrics {
  readonly #channel = new BroadcastChannel('refdesk-metrics')
  readonly #own: () => Promise<Metrics>
  readonly #others: number
  readonly #open = new Map<string, (metrics: Metrics) => void>()
  #scrapes = 0

  constructor(count: number, own: () => Promise<Metrics>) {
    this.#others = count - 1
    this.#own = own
    this.#channel.onmessage = (event: unknown) => void this.#receive((event as { data: Message }).data)
    this.#channel.unref()
  }

  async ofAll(): Promise<Metrics[]> {
    const found: Metrics[] = []
    const scrape = `${threadId}-${this.#scrapes++}`
    const answered = new Promise<void>((resolve) => {
      this.#open.set(scrape, (metrics) => {
        if (found.push(metrics) === this.#others) resolve()
      })
    })
    this.#channel.postMessage({ scrape } satisfies Message)
    const own = await this.#own()
    await Promise.race([answered, sleep(maxWaitMs)])
    this.#open.delete(scrape)
    return [own, ...found]
  }

  close(): void {
    this.#channel.close()
  }

  async #receive({ scrape, metrics }: Message): Promise<void> {
    if (metrics) this.#open.get(scrape)?.(metrics)
    else this.#channel.postMessage({ scrape, metrics: await this.#own() } satisfies Message)
  }
}
