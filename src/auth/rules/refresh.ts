import { sameRedirectUri } from '../../apps/rules/redirect-match.ts'
import { isBefore, isFromFuture } from '../../core/clock.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { type Challenge, matchesChallenge } from './pkce.ts'
import { type Refusal, reasons } from './reasons.ts'
import { fitsResource, type Resource } from './resource.ts'

/** After a lost response a client gets the same one again for this long. */
export const graceSeconds = 10

export type RefreshFacts = Readonly<{
  appKey: string
  redirectUri: string
  challenge: Challenge | null
  resource: Resource
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  /** How long ago it was spent, by the clock of the database: those of the nodes may differ. */
  spentForMs: number | null
  spentWith: string | null
  sessionEnded: boolean
  sessionExpiresAt: Temporal.Instant
  userDisabled: boolean
}>

/** `reuse`: rejected, and the session ends. `repeat`: send the previous response again. `otherResource`: rejected, and nothing
 *  else is wrong. Others are rejected; the reason is for the log only. */
export type Refresh = 'reuse' | 'repeat' | 'rotate' | 'otherResource' | Refusal

/** Decides a refresh (§4.5). Facts of a token change in one direction only (unspent to spent, session active to ended), so a
 *  rejection stays right; of several that may rotate, the UPDATE lets one win. */
export function decideRefresh(
  token: RefreshFacts | undefined,
  appKey: string,
  provedWith: string,
  form: Form,
  now: Temporal.Instant,
  profile: WireProfile,
  digest: (text: string) => string,
): Refresh {
  if (!token) return reasons.unknownRefresh
  if (token.appKey !== appKey) return reasons.foreignRefresh
  if (token.sessionEnded || token.userDisabled || !isBefore(now, token.sessionExpiresAt)) return reasons.endedSession
  // A token from the future is rejected like an expired one, but does not end the session: its time may come.
  if (isFromFuture(token.issuedAt, now)) return reasons.futureRefresh
  const misfit = misfitOf(token, form, profile, digest)
  if (token.spentForMs === null) {
    if (!isBefore(now, token.expiresAt)) return reasons.expiredRefresh
    return misfit ?? 'rotate'
  }
  // A spent token is checked for reuse even after it expired: its holder did not get it from us.
  const withinGrace = token.spentForMs <= graceSeconds * 1_000
  if (!withinGrace || token.spentWith !== provedWith) return 'reuse'
  return misfit ?? 'repeat'
}

/** redirect_uri, code_verifier and resource are optional, but must match the session if sent. */
function misfitOf(token: RefreshFacts, form: Form, profile: WireProfile, digest: (text: string) => string) {
  if (form.redirect_uri && !sameRedirectUri(form.redirect_uri, token.redirectUri)) return reasons.otherSession
  const { code_verifier: verifier } = form
  const isProved =
    token.challenge !== null &&
    verifier !== undefined &&
    matchesChallenge(verifier, token.challenge, profile.acceptsWeakPkce, digest)
  if (verifier !== undefined && !isProved) return reasons.otherSession
  return fitsResource(form, token.resource) ? undefined : 'otherResource'
}
