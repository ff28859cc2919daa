import { parentPort, workerData } from 'node:worker_threads'
import { Wire } from '../support/wire.ts'

/** Sends all of the requests, one after the other, some times. */
export type Task = Readonly<{ requests: readonly string[]; times: number }>

/** A thread that sends requests on one kept-alive connection, so that the thread of the server does nothing else. */
const wire = await Wire.open(workerData as number)

parentPort?.on('message', async ({ requests, times }: Task) => {
  for (let done = 0; done < times; done++)
    for (const request of requests) {
      const { status, body } = await wire.send(request)
      if (status !== 200) throw new Error(`${request.split('\r\n', 1)} was answered ${status}: ${body.slice(0, 200)}`)
    }
  parentPort?.postMessage('done')
})
