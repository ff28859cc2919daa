import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, openDatabase } from '../../../database/open.ts'
import { build, type Current } from './build.ts'

/** Builds segments in a worker thread, so that requests do not wait. */
const { db } = openDatabase(workerData.connection as Connection, 1, {
  statement_timeout: 120_000,
  query_timeout: 125_000,
})

parentPort?.on('message', async (current: Current) => {
  try {
    parentPort?.postMessage({ built: await build(db, current) })
  } catch (error) {
    parentPort?.postMessage({ error: (error as Error).message })
  }
})
