import { sameRedirectUri } from '../../apps/rules/redirect-match.ts'
import { isFromFuture } from '../../core/clock.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { answersChallenge, type Challenge } from './pkce.ts'

export type CodeFacts = Readonly<{
  appKey: string
  redirectUri: string
  challenge: Challenge | undefined
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  spentAt: Temporal.Instant | undefined
  sessionId: string | undefined
  /** The person is still signed in, not disabled, and still allows the app, which is active, has kept its grants, and has
   *  the address that the code went to. */
  preconditionsHold: boolean
}>

/** `burn`: refused, and the code is out of play. `replay`: refused, and its session dies. The caller is told one text for
 *  all causes; the reason is for our own log. */
export type Exchange = Readonly<{ kind: 'unknown' | 'burn' | 'replay' | 'grant'; reason: string }>

/** What must be there before the code is looked at (nothing is consumed by a malformed request). */
export function missingExchangeField(form: Form, profile: WireProfile): string | undefined {
  if (!form.code) return 'code is missing.'
  if (!form.redirect_uri && profile.requiresRedirectUriOnExchange) return 'redirect_uri is missing.'
  return undefined
}

/** Decides the exchange of a code that was locked for it and of a form that lacks nothing (§5.2 step 3, RFC 6749 §4.1.3, RFC 7636 §4.6). */
export function decideExchange(
  code: CodeFacts | undefined,
  appKey: string,
  form: Form,
  now: Temporal.Instant,
  profile: WireProfile,
  digest: (text: string) => string,
): Exchange {
  const burn = (reason: string): Exchange => ({ kind: 'burn', reason })
  if (!code) return { kind: 'unknown', reason: 'no such code' }
  // RFC 6749 §4.1.2: used twice, all tokens of it are revoked. Only a success has made a session.
  if (code.spentAt)
    return { kind: code.sessionId === undefined ? 'unknown' : 'replay', reason: 'the code was used before' }
  if (code.appKey !== appKey) return burn('the code is of another app')
  if (Temporal.Instant.compare(now, code.expiresAt) >= 0) return burn('the code is too old')
  if (isFromFuture(code.issuedAt, now)) return burn('the code is from the future')
  const redirectUri = form.redirect_uri
  if (redirectUri && !sameRedirectUri(redirectUri, code.redirectUri))
    return burn('redirect_uri is not that of the sign-in')
  if (!verifierFits(form.code_verifier, code.challenge, profile, digest))
    return burn('code_verifier is missing, wrong, or was never promised')
  if (!code.preconditionsHold)
    return burn('the person signed out, is disabled, or no longer allows the app, or it lost its grants or the address')
  return { kind: 'grant', reason: '' }
}

/** A challenged code needs its verifier; an unchallenged one must come without (RFC 9700 §4.8.2). */
function verifierFits(
  verifier: string | undefined,
  challenge: Challenge | undefined,
  profile: WireProfile,
  digest: (text: string) => string,
): boolean {
  if (!challenge) return verifier === undefined
  return verifier !== undefined && answersChallenge(verifier, challenge, profile.acceptsWeakPkce, digest)
}
