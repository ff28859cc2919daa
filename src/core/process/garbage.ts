import { Session } from 'node:inspector'

/** Collects all garbage of this thread, and so returns the memory that its start has used to the system. */
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
