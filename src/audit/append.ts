import { sql } from 'kysely'
import { isoMilliseconds, systemClock } from '../core/clock.ts'
import { textArray } from '../database/binary-array.ts'
import type { Db } from '../database/open.ts'
import { prepared } from '../database/prepared.ts'

export type AuditKind =
  | 'SignIn'
  | 'SignInRefused'
  | 'SignOut'
  | 'SignOutEverywhere'
  | 'ConsentGiven'
  | 'ConsentWithdrawn'
  | 'GrantRefused'
  | 'CodeIssued'
  | 'ImplicitGrant'
  | 'CodeExchanged'
  | 'CodeReplayed'
  | 'TokenRefreshed'
  | 'RefreshReused'
  | 'SessionRevoked'
  | 'SecretRefused'
  | 'SecretRevealed'
  | 'KeyCreated'
  | 'KeyActivated'
  | 'KeyRetired'
  | 'UserAdded'
  | 'UserDisabled'
  | 'UserEnabled'
  | 'PasswordChanged'
  | 'OperatorAdded'
  | 'OperatorRemoved'
  | 'AppChanged'
  | 'CalendarMade'
  | 'CalendarWithdrawn'
  | 'ImportApplied'
  | 'Elected'
  | 'StandingInstructionGiven'
  | 'StandingInstructionEnded'
  | 'DemoTokenIssued'
  | 'AttemptsBlocked'
  | 'ClockChanged'
  | 'FaultChanged'
  | 'DataReset'
  | 'SnapshotSaved'
  | 'SnapshotRestored'
  | 'SnapshotDeleted'
  | 'ScenarioLoaded'
  | 'ScenarioUnloaded'
  | 'PositionSet'

/** One event in the audit log. It never contains a secret, code, token or password. */
export type AuditEntry = Readonly<{
  /** Service time, which may differ from real time in sim. A number is in milliseconds. */
  at: string | number | Temporal.Instant
  kind: AuditKind
  user?: string
  userName?: string
  app?: string
  session?: string
  address?: string
  detail?: Readonly<Record<string, string | number | boolean>>
}>

const maxTextLength = 500

/** Truncates user input and replaces characters that jsonb rejects (U+0000, unpaired surrogates), so that logging
 *  never makes a sign-in fail. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, maxTextLength).toWellFormed().replaceAll('\0', '\uFFFD') : value
}

/** The stored and sealed text. `recordedAt` is real time and decides the month of an entry. */
export function auditBody(entry: AuditEntry, realNowMs: number): string {
  const atMs = millisecondsOf(entry.at)
  const at = isoMilliseconds(atMs)
  const recordedAt = atMs === realNowMs ? at : isoMilliseconds(realNowMs)
  const stored = { ...entry, at, recordedAt }
  const text = JSON.stringify(stored)
  // The fast path: too short to contain an overlong text, and no escaped characters.
  return text.length <= maxTextLength && !text.includes('\\u') ? text : JSON.stringify(stored, storable)
}

function millisecondsOf(at: AuditEntry['at']): number {
  if (typeof at === 'number') return at
  return (typeof at === 'string' ? Temporal.Instant.from(at) : at).epochMilliseconds
}

const insertBody = prepared((db, { body }: { body: string }) => db.insertInto('audit_inbox').values({ body }))

const insertBodies = prepared(
  (_db, { bodies }: { bodies: Buffer }) => sql`insert into audit_inbox (body) select unnest(${bodies}::text[])`,
)

/** Appends several entries in one statement. */
export async function appendAudits(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  const nowMs = systemClock.nowMs()
  await insertBodies(db, { bodies: textArray(entries.map((entry) => auditBody(entry, nowMs))) })
}

/** Appends an entry in the caller's transaction, so that the log records exactly what was committed. */
export async function appendAudit(db: Db, entry: AuditEntry): Promise<void> {
  const body = auditBody(entry, systemClock.nowMs())
  await insertBody(db, { body })
}
