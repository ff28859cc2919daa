import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { explain } from './cli/explain.ts'
import { systemClock } from './core/clock.ts'
import { collectGarbage } from './core/process/garbage.ts'
import { listen } from './http/listening.ts'
import { sharedSource } from './instruments/catalogue/shared-source.ts'
import { makeLog } from './log.ts'
import { startNode } from './node.ts'
import { type FromWorker, shareOf, type WorkerStart } from './workers.ts'

/** A worker: a node in its own thread, which serves the catalogue that the main thread builds. */
const { config, connection, masterKey, port, count, states } = workerData as WorkerStart
const main = parentPort as MessagePort
const log = makeLog(config, true)
const tell = (message: FromWorker) => main.postMessage(message)

const source = sharedSource(states, log)

const closed = new Promise((resolve) => main.once('message', resolve))
try {
  const deps = { config, connection, masterKey: Buffer.from(masterKey), clock: systemClock, log }
  const node = await startNode({ ...deps, ...shareOf(count) }, () => source)
  await node.server.ready()
  await collectGarbage()
  const address = { port, host: config.host, reusePort: true }
  await listen(node.server, address)
  tell({ isListening: true })
  await closed
  await node.close()
} catch (error) {
  tell({ failure: explain(error) })
}
main.close()
