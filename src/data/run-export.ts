import type { Connection, Db } from '../database/open.ts'
import { withOwnConnection } from '../database/staging/copy.ts'
import { formatCursor } from './changes/rules/cursor.ts'
import { readExtent } from './changes/store/changes.ts'
import type { Exporter } from './kind.ts'

/** Writes the records of these kinds as NDJSON, from one snapshot of the database. Returns their number, and the cursor of the
 *  changes after that snapshot. */
export function runExport(
  connection: Connection,
  exporters: readonly Exporter[],
  write: (lines: AsyncIterable<string>) => Promise<void>,
  since = 0,
): Promise<{ count: number; cursor: string }> {
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
    const { identity, seq, check } = await reading.execute(async (trx) => {
      // The first statement takes the snapshot.
      const extent = await readExtent(trx)
      await write(lines(trx))
      return extent
    })
    return { count, cursor: formatCursor({ identity, seq, check }) }
  })
}
