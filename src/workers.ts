import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { siblingModule } from './core/files/sibling-module.ts'
import { unavailable } from './core/problem.ts'
import { collectGarbage } from './core/process/garbage.ts'
import type { Connection } from './database/open.ts'
import { maxDocumentBytes } from './events/catalogue/documents.ts'
import { maxAnswerBytes } from './http/answers/remember-answers.ts'
import { listen } from './http/listening.ts'
import { answerPast, type ToWorker } from './instruments/catalogue/shared-source.ts'
import type { CatalogueSource, CatalogueState } from './instruments/catalogue/source.ts'
import { type NodeDependencies, type Serving, startNode } from './node.ts'

export type WorkerStart = Readonly<{
  config: Config
  connection: Connection
  masterKey: Uint8Array
  port: number
  /** How many threads share the memory. */
  count: number
  /** Receives every state of the catalogue. */
  states: MessagePort
}>
export type FromWorker = { isListening: true } | { failure: string }

const replaceAfterMs = 1_000
/** An eighth of the default, which would add more than 40 MB to the memory of every worker. Garbage is collected as cheaply. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

/** Serves with several threads on one port. This one is the first of them and builds the catalogue, which all share. */
export async function serveByWorkers(deps: NodeDependencies, count: number): Promise<Serving> {
  const { config } = deps
  await using opened = new AsyncDisposableStack()
  const port = await findPort(config)
  const workers = new Workers(deps, port, count)
  const starting = startNode({ ...deps, ...shareOf(count) }, (build) => workers.shared(build()))
  opened.defer(async () => (await starting.catch(() => undefined))?.close())
  opened.defer(() => workers.close())
  const [node] = await Promise.all([starting, workers.start()])
  await node.server.ready()
  await collectGarbage()
  await listen(node.server, { port, host: config.host, reusePort: true })
  opened.move()
  const close = async () => {
    // The others may need this thread for requests in progress.
    await Promise.all([node.server.close(), workers.close()])
    await node.close()
  }
  return { context: node.context, close }
}

/** What one of several workers has: its caches take no more memory together than those of a single one. */
export const shareOf = (count: number) => ({
  workers: count,
  answerBytes: Math.floor(maxAnswerBytes / count),
  documentBytes: Math.floor(maxDocumentBytes / count),
})

const presentOf = (state: CatalogueState): ToWorker => ({ kind: 'present', state })

/** The port to listen on. Sharing a port would let the workers join those of another service without an error. */
async function findPort({ port, host }: Config): Promise<number> {
  const probe = createServer().listen({ port, host })
  await once(probe, 'listening')
  const { port: found } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return found
}

/** The threads beside this one. One that ends is replaced, until they are closed. */
class Workers {
  readonly #shared: Omit<WorkerStart, 'states'>
  readonly #log: Logger
  readonly #running = new Map<Worker, { states: MessagePort; isListening: boolean }>()
  #source: CatalogueSource | undefined
  #state: CatalogueState | undefined
  #isClosing = false

  constructor({ config, connection, masterKey, log }: NodeDependencies, port: number, count: number) {
    this.#shared = { config, connection, masterKey, port, count }
    this.#log = log
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#shared.count - 1 }, () => this.#startOne()))
  }

  /** The source, whose states the other threads get as well. */
  shared(source: CatalogueSource): CatalogueSource {
    this.#source = source
    return {
      start: (serve) =>
        source.start((state) => {
          serve(state)
          this.#state = state
          for (const { states } of this.#running.values()) states.postMessage(presentOf(state))
        }),
      past: (data, clientKey) => source.past(data, clientKey),
      stop: () => source.stop(),
    }
  }

  /** Lets the workers finish their requests. */
  async close(): Promise<void> {
    this.#isClosing = true
    const ends = [...this.#running].map(([worker, { isListening }]) => {
      if (!isListening) return worker.terminate()
      worker.postMessage('close')
      return new Promise((resolve) => worker.once('exit', resolve))
    })
    await Promise.all(ends)
  }

  /** Resolves when it listens. */
  #startOne(): Promise<void> {
    const { port1: states, port2 } = new MessageChannel()
    if (this.#state) states.postMessage(presentOf(this.#state))
    answerPast(states, {
      past: async (data, clientKey) => {
        if (!this.#source) throw unavailable()
        return this.#source.past(data, clientKey)
      },
    })
    const workerData: WorkerStart = { ...this.#shared, states: port2 }
    const worker = new Worker(siblingModule(import.meta, 'worker-thread'), {
      name: 'refdesk worker',
      workerData,
      transferList: [port2],
      resourceLimits,
    })
    const running = { states, isListening: false }
    this.#running.set(worker, running)
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if ('failure' in message) {
          reject(new Error(message.failure))
          return void worker.terminate()
        }
        running.isListening = true
        resolve()
      })
      worker.on('error', (error) => this.#log.error({ err: error, worker: worker.threadId }, 'a worker failed'))
      worker.once('exit', () => {
        states.close()
        this.#running.delete(worker)
        reject(new Error('A worker exited before it could serve requests.'))
        if (!this.#isClosing) this.#replace()
      })
    })
  }

  #replace(): void {
    this.#log.error({}, 'a worker exited and is being replaced')
    setTimeout(() => {
      if (this.#isClosing) return
      this.#startOne().catch(({ message }: Error) => this.#log.error({ reason: message }, 'a worker did not start'))
    }, replaceAfterMs)
  }
}
