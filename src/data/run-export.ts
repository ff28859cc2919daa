import type { Connection, Db } from '../database/open.ts'
import { withOwnConnection } from '../database/staging/copy.ts'
import type { Exporter } from './kind.ts'

/** Writes the records of these kinds as NDJSON, from one snapshot of the database. Returns their number. */
export function runExport(
  connection: Connection,
  exporters: readonly Exporter[],
  write: (lines: AsyncIterable<string>) => Promise<void>,
  since = 0,
): Promise<number> {
  let count = 0
  async function* lines(db: Db): AsyncGenerator<string> {
    for (const { kind, read } of exporters) {
      const start = `{"kind":${JSON.stringify(kind)},`
      for await (const documents of read(db, since)) {
        count += documents.length
        yield documents.map((document) => `${start}${document.slice(1)}\n`).join('')
      }
    }
  }
  return withOwnConnection(connection, async (db) => {
    const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    await reading.execute((trx) => write(lines(trx)))
    return count
  })
}
