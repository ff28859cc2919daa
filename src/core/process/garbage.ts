import { Session } from 'node:inspector'

/** Collects all garbage of this thread and returns the memory to the system. V8 by itself keeps what a start has used
 *  until a heap has grown well beyond it. */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await new Promise<void>((resolve, reject) => {
      session.post('HeapProfiler.collectGarbage', (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    session.disconnect()
  }
}
