import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { listAppAuditEntries } from '../../src/apps/store/audit.ts'
import { type AuditEntry, auditBody } from '../../src/audit/append.ts'
import { openDatabase } from '../../src/database/open.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection, 1)
after(async () => {
  await close()
  await database.drop()
})

const at = '2026-06-01T12:00:00Z'
const bodyOf = (entry: Omit<AuditEntry, 'at'>) => auditBody({ at, ...entry }, 0)
const misleading = { '"kind":"AppChanged"': '"kind":"AppChanged"' }

test('finds what was done to an app among many refreshes without reading these', async () => {
  const bodies = [
    ...Array.from({ length: 2_000 }, () => bodyOf({ kind: 'TokenRefreshed', app: 'a' })),
    bodyOf({ kind: 'AppChanged', app: 'a' }),
    bodyOf({ kind: 'AppChanged', app: 'b' }),
    bodyOf({ kind: 'SecretRevealed', app: 'a' }),
    bodyOf({ kind: 'SignIn', app: 'a', detail: { ...misleading, kind: 'AppChanged' } }),
  ]
  await sql`insert into audit_log (seq, body, mac)
    select seq, body, '' from unnest(${bodies}::text[]) with ordinality as entry (body, seq)`.execute(db)
  await sql`analyze audit_log`.execute(db)

  await db.transaction().execute(async (trx) => {
    const { entries } = await listAppAuditEntries(trx, 'a', { top: 10, skip: 0, before: undefined })

    assert.deepEqual(
      entries.map(({ seq, kind }) => [seq, kind]),
      [
        [2_003, 'SecretRevealed'],
        [2_001, 'AppChanged'],
      ],
    )
    const { rows } = await sql<{ scans: number; fetched: number }>`
      select seq_scan as scans, idx_tup_fetch as fetched from pg_stat_xact_user_tables
      where relname = 'audit_log'`.execute(trx)
    assert.equal(rows[0]?.scans, 0)
    assert.ok(Number(rows[0]?.fetched) < 10)
  })
})
