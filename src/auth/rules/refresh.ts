import { sameRedirectUri } from '../../apps/rules/redirect-match.ts'
import { isFromFuture } from '../../core/clock.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { answersChallenge, type Challenge } from './pkce.ts'

/** A client that lost the answer may ask again for this long and gets the same one. */
export const graceSeconds = 10

export type RefreshFacts = Readonly<{
  appKey: string
  redirectUri: string
  challenge: Challenge | undefined
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  /** In real time. */
  spentAt: Temporal.Instant | undefined
  spentWith: string | undefined
  sessionEnded: boolean
  sessionExpiresAt: Temporal.Instant
  userDisabled: boolean
}>

/** `reuse`: refused, and the session dies. `again`: the answer that was given before. */
export type Refresh = 'refuse' | 'reuse' | 'again' | 'rotate'

/** The service's time, which travels, and real time, by which a lost answer is given again: else it would be given for
 *  ever while time stands still. */
export type Times = Readonly<{ now: Temporal.Instant; real: Temporal.Instant }>

/** Decides a refresh (§5.2 step 6). The facts of a token only ever move one way (unspent, spent; session alive, ended), so
 *  that a decision taken on them stays right; of many that may rotate, the statement that does it lets one win. */
export function decideRefresh(
  token: RefreshFacts | undefined,
  appKey: string,
  provedWith: string,
  form: Form,
  { now, real }: Times,
  profile: WireProfile,
  digest: (text: string) => string,
): Refresh {
  if (!token || token.appKey !== appKey || token.sessionEnded || token.userDisabled) return 'refuse'
  // One from the future is refused as one that has ended is, and nothing dies by it: its time may come.
  if (!isBefore(now, token.sessionExpiresAt) || isFromFuture(token.issuedAt, now)) return 'refuse'
  const fits = fitsSession(token, form, profile, digest)
  if (!token.spentAt) return fits && isBefore(now, token.expiresAt) ? 'rotate' : 'refuse'
  // A spent token is judged by when it was spent, also after its own end: whoever still has it did not get it from us.
  const withinGrace = !isBefore(token.spentAt.add({ seconds: graceSeconds }), real)
  if (!withinGrace || token.spentWith !== provedWith) return 'reuse'
  return fits ? 'again' : 'refuse'
}

/** What may come along but need not: the session's redirect_uri, the session's verifier. */
function fitsSession(token: RefreshFacts, form: Form, profile: WireProfile, digest: (text: string) => string): boolean {
  if (form.redirect_uri && !sameRedirectUri(form.redirect_uri, token.redirectUri)) return false
  if (form.code_verifier === undefined) return true
  return (
    token.challenge !== undefined &&
    answersChallenge(form.code_verifier, token.challenge, profile.acceptsWeakPkce, digest)
  )
}

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0
