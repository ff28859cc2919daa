import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry } from '../../../src/http/request-log/entry.ts'
import type { Server } from '../../../src/http/typed-server.ts'
import { exchangeOf } from '../../../src/requests/api/view.ts'

/** Entries that wait until they are written. Few, because to mask many responses takes a long turn of the event loop. */
const batchSize = 50

/** Writes every entry of a service's request log, as its reader would get it, to where the check at the end of the run looks for
 *  secrets. Call the returned function after the service has closed. */
export function keepEntries(server: Server): () => Promise<void> {
  const { requestLog } = server
  const folder = process.env.REFDESK_TEST_LOG
  if (!requestLog || folder === undefined) return async () => {}
  let waiting: Entry[] = []
  let writing = Promise.resolve()
  const write = () => {
    const entries = waiting
    waiting = []
    writing = writing.then(async () => {
      const exchanges = await Promise.all(entries.map((entry) => exchangeOf(entry, requestLog.shown)))
      const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`)
      await appendFile(join(folder, `${process.pid}.requests.log`), lines.join(''))
    })
    return writing
  }
  requestLog.ring.listen((entry) => {
    if (waiting.push(entry) >= batchSize) void write()
  })
  return write
}
