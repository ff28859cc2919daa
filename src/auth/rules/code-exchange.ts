import { sameRedirectUri } from '../../apps/rules/redirect-match.ts'
import type { Profile } from '../../core/profile.ts'
import type { Form } from './client-authentication.ts'
import { answersChallenge, type Challenge } from './pkce.ts'

export type CodeFacts = Readonly<{
  appKey: string
  redirectUri: string
  challenge: Challenge | undefined
  expiresAt: Temporal.Instant
  spentAt: Temporal.Instant | undefined
  sessionId: string | undefined
  /** The person is still signed in, not disabled, and still allows the app, which is active. */
  groundsHold: boolean
}>

/** `burn`: refused, and the code is out of play. `replay`: refused, and its session dies. One text for all causes. */
export type Exchange = { kind: 'unknown' } | { kind: 'burn' } | { kind: 'replay' } | { kind: 'grant' }

/** What must be there before the code is looked at (nothing is consumed by a malformed request). */
export function missingExchangeField(form: Form, profile: Profile): string | undefined {
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
  profile: Profile,
  digest: (text: string) => string,
): Exchange {
  if (!code) return { kind: 'unknown' }
  // RFC 6749 §4.1.2: used twice, all tokens of it are revoked. Only a success has made a session.
  if (code.spentAt) return { kind: code.sessionId === undefined ? 'unknown' : 'replay' }
  if (code.appKey !== appKey) return { kind: 'burn' }
  if (Temporal.Instant.compare(now, code.expiresAt) >= 0) return { kind: 'burn' }
  const redirectUri = form.redirect_uri
  if (redirectUri && !sameRedirectUri(redirectUri, code.redirectUri)) return { kind: 'burn' }
  if (!verifierFits(form.code_verifier, code.challenge, profile, digest)) return { kind: 'burn' }
  return { kind: code.groundsHold ? 'grant' : 'burn' }
}

/** A challenged code needs its verifier; an unchallenged one must come without (RFC 9700 §4.8.2). */
function verifierFits(
  verifier: string | undefined,
  challenge: Challenge | undefined,
  profile: Profile,
  digest: (text: string) => string,
): boolean {
  if (!challenge) return verifier === undefined
  return verifier !== undefined && answersChallenge(verifier, challenge, profile.acceptsWeakPkce, digest)
}
