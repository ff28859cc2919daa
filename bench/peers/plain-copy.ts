import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { BenchDatabase } from '../support/refdesk.ts'

const tables = ['exchange', 'instrument', 'option_root']

/** The seconds to COPY the imported rows into tables with the same keys and indexes, without any parsing, checks or
 *  comparison. */
export async function copyRows(database: BenchDatabase, folder: string, rounds: number): Promise<number[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const fileOf = (table: string) => join(folder, `${table}.copy`)
  try {
    for (const table of tables)
      await pipeline(client.query(copyTo(`copy ${table} to stdout`)), createWriteStream(fileOf(table)))
    const took: number[] = []
    for (let round = 0; round < rounds; round++) {
      // In a separate transaction, because tables created in the same one are filled without WAL.
      await client.query('create schema copied')
      for (const table of tables) await client.query(`create table copied.${table} (like ${table} including all)`)
      // So that the measurement does not include earlier writes.
      await client.query('checkpoint')
      const start = performance.now()
      await client.query('begin')
      for (const table of tables)
        await pipeline(createReadStream(fileOf(table)), client.query(copyFrom(`copy copied.${table} from stdin`)))
      await client.query('commit')
      took.push((performance.now() - start) / 1_000)
      await client.query('drop schema copied cascade')
    }
    return took
  } finally {
    await client.end()
    for (const table of tables) await rm(fileOf(table), { force: true })
  }
}
