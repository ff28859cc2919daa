import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../../src/database/open.ts'
import { listTables } from '../../../src/sim/store/snapshot-tables.ts'

export type Snapshot = Readonly<{
  Name: string
  SavedAt: string
  Now: string
  Frozen: boolean
  Bytes: number
  IsRestorable: boolean
}>
export type Restored = Snapshot & Readonly<{ Revision: number; IsSessionKept: boolean }>

type Call = <Body>(method: string, path: string) => Promise<{ status: number; body: Body }>

export async function saveSnapshot(call: Call, name: string): Promise<Snapshot> {
  const { status, body } = await call<Snapshot>('PUT', `/x/v1/snapshots/${name}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

export async function restoreSnapshot(call: Call, name: string): Promise<Restored> {
  const { status, body } = await call<Restored>('POST', `/x/v1/snapshots/${name}/restore`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The rows of every table that a snapshot has, as texts. Not those of refresh_answer, which end by real time, nor when a
 *  secret was last used, which each node writes now and then. */
export async function readTables(db: Db): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name, rows, content } of await listTables(db)) {
    if (name === 'refresh_answer') continue
    const found = await sql<{ text: string }>`select ${content} as text from ${rows} order by 1`.execute(db)
    tables[name] = found.rows.map(({ text }) => (name === 'app_secret' ? text.replace(/,[^,]*\)$/, '') : text))
  }
  return tables
}

type TableRows = Awaited<ReturnType<typeof readTables>>

/** The rows that only one of two states has, shortened: a state is too large to be shown. */
export function differences(before: TableRows, after: TableRows): string[] {
  const only = (sign: string, a: TableRows, b: TableRows) =>
    Object.entries(a).flatMap(([name, rows]) => {
      const others = new Set(b[name])
      return rows.filter((row) => !others.has(row)).map((row) => `${sign} ${name} ${row.slice(0, 300)}`)
    })
  return [...only('-', before, after), ...only('+', after, before)].slice(0, 20)
}
