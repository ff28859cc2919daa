import { findUserByName, readUser } from '../../access/store/identities.ts'
import { endSessions } from '../../access/store/sessions.ts'
import { readApp } from '../../apps/store/apps.ts'
import type { Caller } from '../../core/caller.ts'
import { invalidToken } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import type { RenewedSession } from '../api/schema.ts'
import { insertRefreshToken } from '../store/refresh-tokens.ts'
import { type GrantFacts, lockGrant } from '../store/sessions.ts'
import { type GrantCall, makeTokenResponse, startSession } from './issue.ts'

type Renewal = Omit<GrantCall, 'app'> & Readonly<{ caller: Caller }>

export async function lockSession(trx: Trx, { sessionId }: Caller): Promise<GrantFacts> {
  const granted = await lockGrant(trx, sessionId)
  if (!granted) throw invalidToken()
  return granted
}

/** Replaces the caller's session by one that starts at `now`, with the same user, app and sign-in. Without it a time traveller
 *  would be left with a session of another time. */
export async function renewSession(trx: Trx, renewal: Renewal): Promise<RenewedSession> {
  const granted = await lockSession(trx, renewal.caller)
  await endSessions(trx, { sessionId: renewal.caller.sessionId }, 'renewed', renewal.now)
  const renewed = await restartSession(trx, renewal, granted)
  if (!renewed) throw invalidToken()
  return renewed
}

/** The same after a reset replaced all users, apps and sign-ins. Undefined if the user or app no longer exists. */
export async function resumeSession(trx: Trx, renewal: Renewal, granted: GrantFacts) {
  const known = await readUser(trx, renewal.caller.UserKey)
  const user = known && (await findUserByName(trx, known.name))
  return user && restartSession(trx, renewal, { ...granted, clientKey: user.clientKey, signInId: null })
}

/** Reads the app in the transaction, which may just have changed it. */
async function restartSession(trx: Trx, renewal: Renewal, granted: GrantFacts): Promise<RenewedSession | undefined> {
  const { caller, now } = renewal
  const app = await readApp(trx, caller.appKey)
  if (!app?.isActive) return undefined
  const call = { ...renewal, app }
  const session = await startSession(call, trx, { userKey: caller.UserKey, ...granted })
  const response = makeTokenResponse(call, session)
  const { refresh_token, refresh_token_expires_in, ...access } = response
  if (app.flow === 'Implicit') return access
  await insertRefreshToken(trx, session.sessionId, response, now)
  return response
}
