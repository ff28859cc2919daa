import { systemClock } from '../core/clock.ts'
import type { Db } from '../database/open.ts'

/** Everything the audit log knows to say. */
export const auditKinds = [
  'SignIn',
  'SignInRefused',
  'SignOut',
  'SignOutEverywhere',
  'ConsentGiven',
  'ConsentWithdrawn',
  'GrantRefused',
  'CodeIssued',
  'ImplicitGrant',
  'CodeExchanged',
  'CodeReplayed',
  'TokenRefreshed',
  'RefreshReused',
  'SessionRevoked',
  'SecretRefused',
  'SecretRevealed',
  'KeyCreated',
  'KeyActivated',
  'KeyRetired',
  'UserAdded',
  'UserDisabled',
  'UserEnabled',
  'AppChanged',
  'CalendarMade',
  'CalendarWithdrawn',
  'ImportApplied',
  'DemoTokenIssued',
  'AttemptsBlocked',
  'ClockChanged',
  'FaultChanged',
  'DataReset',
] as const

export type AuditKind = (typeof auditKinds)[number]

/** One thing that happened. No member ever holds a secret, code, token or password. */
export type AuditEntry = Readonly<{
  /** By the service's clock, which travels in the sim environment. */
  at: string | Temporal.Instant
  kind: AuditKind
  user?: string
  userName?: string
  app?: string
  session?: string
  address?: string
  detail?: Readonly<Record<string, string | number | boolean>>
}>

const maxTextLength = 500

/** What a stranger typed must neither bloat the log nor be text that jsonb refuses (U+0000, half a surrogate pair):
 *  it would be the sign-in that fails. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, maxTextLength).toWellFormed().replaceAll('\0', '\uFFFD') : value
}

function instantText(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'millisecond' })
}

/** The text that is stored and sealed. `recordedAt` is real time: it is what the log's months are counted by. */
export function auditBody(entry: AuditEntry, realNow: Temporal.Instant): string {
  const at = instantText(typeof entry.at === 'string' ? Temporal.Instant.from(entry.at) : entry.at)
  const stored = { ...entry, at, recordedAt: instantText(realNow) }
  const text = JSON.stringify(stored)
  // Nearly always: too short to hold a text that is too long, and no escape of a character that jsonb refuses.
  return text.length <= maxTextLength && !text.includes('\\u') ? text : JSON.stringify(stored, storable)
}

/** Logs as part of the caller's transaction: what is undone was not logged, what is logged was done. */
export async function appendAudit(db: Db, entry: AuditEntry): Promise<void> {
  const body = auditBody(entry, systemClock.now())
  await db.insertInto('audit_inbox').values({ body }).execute()
}
