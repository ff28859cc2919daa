import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, openDatabase } from '../../../database/open.ts'
import { build } from './build.ts'

/** The thread that builds catalogues, so that nobody who is served waits for it. */
const { db } = openDatabase(workerData.connection as Connection, 1, {
  statement_timeout: 120_000,
  query_timeout: 125_000,
})

parentPort?.on('message', async (have: Parameters<typeof build>[1]) => {
  try {
    parentPort?.postMessage({ built: await build(db, have) })
  } catch (error) {
    parentPort?.postMessage({ fault: (error as Error).message })
  }
})
