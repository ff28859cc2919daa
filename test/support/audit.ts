import { beforeEach } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type AuditEntry, auditBody } from '../../src/audit/append.ts'
import { chainOnce, verifyAudit } from '../../src/audit/chain.ts'
import { type auditArchive, auditVerify } from '../../src/audit/commands.ts'
import { deriveKey } from '../../src/core/crypto/keys.ts'
import { parseCall } from './service/command-line.ts'
import { databaseForFile } from './service/import.ts'

export const key = deriveKey(Buffer.alloc(32, 7), 'audit')
export const anotherKey = deriveKey(Buffer.alloc(32, 8), 'audit')
export const entry: AuditEntry = { at: '2026-03-04T05:06:07Z', kind: 'SignIn', user: 'u', app: 'a' }

/** An audit log that is empty at the start of every test of the file. */
export async function auditLogForFile() {
  const { db } = await databaseForFile(undefined, 10)

  const sealOnce = async (): Promise<number> => (await chainOnce(db, key)).count

  /** Runs statements as a superuser could, with triggers switched off. */
  async function tamper(...statements: RawBuilder<unknown>[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      for (const statement of statements) await statement.execute(trx)
    })
  }

  /** Adds entries that were recorded in a past month. */
  async function record(count: number, month = '2026-01'): Promise<void> {
    const recorded = Temporal.Instant.from(`${month}-15T00:00:00Z`)
    const bodies = Array.from({ length: count }, (_, index) =>
      auditBody({ ...entry, detail: { index } }, recorded.epochMilliseconds),
    )
    await sql`insert into audit_inbox (body) select unnest(${bodies}::text[])`.execute(db)
  }

  /** Returns the number of batches. */
  async function sealAll(): Promise<number> {
    let batches = 0
    while ((await sealOnce()) > 0) batches++
    return batches
  }

  async function seal(count: number, month?: string): Promise<void> {
    await record(count, month)
    await sealAll()
  }

  async function findings(head?: { seq: number; mac: Uint8Array }): Promise<readonly string[]> {
    return (await verifyAudit(db, key, head)).findings
  }

  async function run(command: typeof auditVerify | typeof auditArchive, ...words: string[]) {
    const lines: string[] = []
    const { options } = await parseCall(['audit', command === auditVerify ? 'verify' : 'archive', ...words])
    const code = await command(db, key, options as { before: string; file: string }, (line) => lines.push(line))
    return { code, text: lines.join('\n') }
  }

  beforeEach(() => tamper(sql`delete from audit_log`, sql`delete from audit_archive`, sql`delete from audit_inbox`))
  return { db, sealOnce, tamper, record, sealAll, seal, findings, run }
}
