import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** A change of an app or a read of its secrets; `user` is null if an operator made it. */
export type AppAuditEntry = Readonly<{
  seq: number
  at: Temporal.Instant
  kind: 'AppChanged' | 'SecretRevealed'
  user: string | null
  /** Null if the user no longer exists. */
  userName: string | null
  detail: Record<string, string | number | boolean> | null
}>

/** Never sign-ins. The index needs its own condition, verbatim; the kind decides. */
const ofApp = (appKey: string) =>
  sql`(strpos(body, '"kind":"AppChanged"') > 0 or strpos(body, '"kind":"SecretRevealed"') > 0)
    and left(body::jsonb ->> 'app', 100) = ${appKey} and body::jsonb ->> 'kind' in ('AppChanged', 'SecretRevealed')`

type Page = Readonly<{ top: number; skip: number; before: number | undefined }>

/** Newest first, older than the entry `before` if given. */
export async function listAppAuditEntries(
  db: Db,
  appKey: string,
  { top, skip, before }: Page,
): Promise<{ entries: AppAuditEntry[]; more: boolean }> {
  const { rows } = await sql<Omit<AppAuditEntry, 'at'> & { at: string }>`
    select seq, body::jsonb ->> 'at' as at, body::jsonb ->> 'kind' as kind, body::jsonb -> 'detail' as detail,
      body::jsonb ->> 'user' as user, service_user.name as "userName"
    from audit_log left join service_user on user_key = body::jsonb ->> 'user'
    where ${ofApp(appKey)} and seq < ${before ?? Number.MAX_SAFE_INTEGER}
    order by seq desc limit ${top + 1} offset ${skip}`.execute(db)
  const entries = rows.slice(0, top).map((row) => ({ ...row, at: Temporal.Instant.from(row.at) }))
  return { entries, more: rows.length > top }
}

export async function countAppAuditEntries(db: Db, appKey: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_log where ${ofApp(appKey)}`.execute(db)
  return rows[0]?.count ?? 0
}
