import { findUserByName, readUser } from '../../access/store/identities.ts'
import { endSessions } from '../../access/store/sessions.ts'
import { readApp } from '../../apps/store/apps.ts'
import type { Caller } from '../../core/caller.ts'
import { plusSeconds } from '../../core/clock.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Trx } from '../../database/open.ts'
import type { RenewedSession } from '../api/schema.ts'
import { invalidToken } from '../bearer.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { insertRefreshToken } from '../store/refresh-tokens.ts'
import { type Granted, lockGrant } from '../store/sessions.ts'
import { beginSession, makeTokenResponse } from './issue.ts'

type Renewal = Readonly<{ caller: Caller; source: RequestSource; now: Temporal.Instant }>

/** What the caller's session rests on, held until the transaction ends. */
export async function holdSession(trx: Trx, { sessionId }: Caller): Promise<Granted> {
  const granted = await lockGrant(trx, sessionId)
  if (!granted) throw invalidToken()
  return granted
}

/** A session from `now` on in place of the caller's own, which ends: the same user, app and sign-in. For who travels in
 *  time, and would else be left with a session of another time. */
export async function renewSession(context: AuthContext, trx: Trx, renewal: Renewal): Promise<RenewedSession> {
  const granted = await holdSession(trx, renewal.caller)
  await endSessions(trx, { sessionId: renewal.caller.sessionId }, 'renewed', renewal.now)
  const renewed = await beginAgain(context, trx, renewal, granted)
  if (!renewed) throw invalidToken()
  return renewed
}

/** The same where all users and apps were made anew, and nobody is signed in: undefined where there are none of this
 *  session's. */
export async function resumeSession(
  context: AuthContext,
  trx: Trx,
  renewal: Renewal,
  granted: Granted,
): Promise<RenewedSession | undefined> {
  const known = await readUser(trx, renewal.caller.UserKey)
  const user = known && (await findUserByName(trx, known.name))
  return user && beginAgain(context, trx, renewal, { ...granted, clientKey: user.clientKey, signInId: null })
}

/** The app is read here: what is known of it may be older than what this transaction has made of it. */
async function beginAgain(
  context: AuthContext,
  trx: Trx,
  { caller, source, now }: Renewal,
  granted: Granted,
): Promise<RenewedSession | undefined> {
  const app = await readApp(trx, caller.appKey)
  if (!app?.IsActive) return undefined
  const holder = await beginSession(context, trx, { app, userKey: caller.UserKey, ...granted }, source, now)
  const { refresh_token, refresh_token_expires_in, ...access } = await makeTokenResponse(context, holder, app, now)
  if (app.Flow === 'Implicit') return access
  await insertRefreshToken(trx, {
    hash: sha256(refresh_token),
    sessionId: holder.sessionId,
    issuedAt: now,
    expiresAt: plusSeconds(now, refresh_token_expires_in),
  })
  return { ...access, refresh_token, refresh_token_expires_in }
}
