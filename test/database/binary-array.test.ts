import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { byteaArray, textArray, timestampArray } from '../../src/database/binary-array.ts'
import { openDatabase } from '../../src/database/open.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection, 1)
after(async () => {
  await close()
  await database.drop()
})

async function elementsOf(array: Buffer, type: string): Promise<unknown[]> {
  const { rows } = await sql<{
    value: unknown
  }>`select value from unnest(${array}::${sql.raw(type)}[]) as value`.execute(db)
  return rows.map(({ value }) => value)
}

test('texts arrive unchanged, in order', async () => {
  const texts = ['', 'a', '{"b,\\c"}', 'NULL', 'ü', '😀', 'x'.repeat(100_000)]
  assert.deepEqual(await elementsOf(textArray(texts), 'text'), texts)
  assert.deepEqual(await elementsOf(textArray([]), 'text'), [])
})

test('bytes arrive unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  assert.deepEqual(await elementsOf(byteaArray([bytes, Buffer.alloc(0)]), 'bytea'), [bytes, Buffer.alloc(0)])
})

test('times arrive with their milliseconds, before and after 2000 and 1970', async () => {
  const times = ['2026-11-17T08:15:30.123Z', '2000-01-01T00:00:00Z', '1999-12-31T23:59:59.999Z', '1969-07-20T20:17:40Z']
  const array = timestampArray(times.map((time) => Temporal.Instant.from(time)))
  assert.deepEqual((await elementsOf(array, 'timestamptz')).map(String), times)
})
