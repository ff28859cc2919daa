import { readApp } from '../../apps/store/apps.ts'
import type { Caller } from '../../core/caller.ts'
import { epochSeconds } from '../../core/clock.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import { invalidToken } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import type { RenewedToken } from '../api/schema.ts'
import type { AuthContext } from '../context.ts'
import { dayTokenClaim } from '../rules/access-token.ts'
import {
  type HeldSession,
  lockGrant,
  moveSessionTimes,
  putBackSession,
  readSessionRows,
  type SessionFacts,
} from '../store/sessions.ts'
import { issueFurtherToken } from './issue.ts'

export type Travel = Readonly<{ context: AuthContext; caller: Caller; from: Temporal.Instant; to: Temporal.Instant }>

/** Moves the caller's session with the clock, because a session of another time would be of no use. The ends of the session, of
 *  its refresh token and of the access token, which is issued again, stay as far away as they were. */
export async function moveSession(trx: Trx, travel: Travel): Promise<RenewedToken> {
  const { sessionId } = travel.caller
  const granted = await lockGrant(trx, sessionId)
  await moveSessionTimes(trx, { sessionId, newSessionId: sessionId, ...travel })
  const renewed = await issueAgain(trx, travel, granted)
  if (!renewed) throw invalidToken()
  return renewed
}

/** Before a reset removes all users, and so their sessions. */
export async function holdSession(trx: Trx, caller: Caller): Promise<SessionFacts & HeldSession> {
  const granted = await lockGrant(trx, caller.sessionId)
  return { ...granted, ...(await readSessionRows(trx, caller.sessionId)) }
}

/** After the reset: the same with the held session, sign-in and consent. Undefined if the user or app no longer exists. The
 *  session gets another id, because nodes know that the first one was removed. */
export async function resumeSession(
  trx: Trx,
  travel: Travel,
  held: SessionFacts & HeldSession,
): Promise<RenewedToken | undefined> {
  const { sessionId } = travel.caller
  const newSessionId = randomHex()
  if (!(await putBackSession(trx, held, newSessionId))) return undefined
  await moveSessionTimes(trx, { sessionId, newSessionId, ...travel })
  return issueAgain(trx, travel, { ...held, sessionId: newSessionId })
}

/** Reads the app in the transaction, which may just have changed it. */
async function issueAgain(
  trx: Trx,
  { context, caller, from, to }: Travel,
  before: SessionFacts,
): Promise<RenewedToken | undefined> {
  const app = await readApp(trx, caller.appKey)
  const secondsLeft = caller.expiresAt - epochSeconds(from)
  if (!app?.isActive || secondsLeft <= 0) return undefined
  const session = { ...before, sessionExpiresAt: before.sessionExpiresAt.add(from.until(to)) }
  const call = { context, app, now: to }
  const { token, expiresIn } = await issueFurtherToken(trx, call, session, secondsLeft, dayTokenClaim(caller))
  return { access_token: token, expires_in: expiresIn, token_type: 'Bearer' }
}
