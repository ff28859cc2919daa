import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Config } from './config.ts'
import { siblingModule } from './core/files/sibling-module.ts'
import { ChangeFeed } from './database/changes.ts'
import { type Connection, openDatabase } from './database/open.ts'
import { CatalogueBuilder } from './instruments/catalogue/builder.ts'
import { answerPast, type ToWorker } from './instruments/catalogue/shared-source.ts'
import type { CatalogueState } from './instruments/catalogue/source.ts'
import type { NodeDependencies } from './node.ts'

export type WorkerStart = Readonly<{
  config: Config
  connection: Connection
  masterKey: Uint8Array
  port: number
  /** How many workers share the memory. */
  count: number
  /** Receives every state of the catalogue. */
  states: MessagePort
}>
export type FromWorker = { isListening: true } | { failure: string }

const replaceAfterMs = 1_000
/** A quarter of the default, which would add 40 MB to the memory of every worker. Garbage is collected as cheaply. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 }

/** Serves with several threads on one port. This thread builds the catalogue, which all of them share. */
export async function serveByWorkers(deps: NodeDependencies, count: number): Promise<{ close(): Promise<void> }> {
  const { config, connection, log } = deps
  await using opened = new AsyncDisposableStack()
  const port = await findPort(config)
  const { db, close } = openDatabase(connection, 2)
  opened.defer(close)
  const feed = new ChangeFeed(db, connection, log)
  opened.defer(() => feed.stop())
  await feed.start()
  const builder = new CatalogueBuilder({ db, connection, feed, log, folder: config.dataDir })
  opened.defer(() => builder.stop())
  const workers = new Workers(deps, builder, port, count)
  opened.defer(() => workers.close())
  await Promise.all([builder.start((state) => workers.serve(state)), workers.start()])
  const resources = opened.move()
  return { close: () => resources.disposeAsync() }
}

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

/** The threads. One that ends is replaced, until they are closed. */
class Workers {
  readonly #deps: NodeDependencies
  readonly #builder: CatalogueBuilder
  readonly #port: number
  readonly #count: number
  readonly #running = new Map<Worker, { states: MessagePort; isListening: boolean }>()
  #state: CatalogueState | undefined
  #isClosing = false

  constructor(deps: NodeDependencies, builder: CatalogueBuilder, port: number, count: number) {
    this.#deps = deps
    this.#builder = builder
    this.#port = port
    this.#count = count
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, () => this.#startOne()))
  }

  serve(state: CatalogueState): void {
    this.#state = state
    for (const { states } of this.#running.values()) states.postMessage(presentOf(state))
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
    const { config, connection, masterKey, log } = this.#deps
    const { port1: states, port2 } = new MessageChannel()
    if (this.#state) states.postMessage(presentOf(this.#state))
    answerPast(states, this.#builder)
    const [port, count] = [this.#port, this.#count]
    const workerData: WorkerStart = { config, connection, masterKey, port, count, states: port2 }
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
      worker.on('error', (error) => log.error({ err: error, worker: worker.threadId }, 'a worker failed'))
      worker.once('exit', () => {
        states.close()
        this.#running.delete(worker)
        reject(new Error('A worker exited before it could serve requests.'))
        if (!this.#isClosing) this.#replace()
      })
    })
  }

  #replace(): void {
    this.#deps.log.error({}, 'a worker exited and is being replaced')
    setTimeout(() => {
      if (this.#isClosing) return
      this.#startOne().catch(({ message }: Error) =>
        this.#deps.log.error({ reason: message }, 'a worker did not start'),
      )
    }, replaceAfterMs)
  }
}
