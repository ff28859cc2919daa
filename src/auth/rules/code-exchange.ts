import { sameRedirectUri } from '../../apps/rules/redirect-match.ts'
import { isFromFuture } from '../../core/clock.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { type Challenge, matchesChallenge } from './pkce.ts'
import { type Refusal, reasons } from './reasons.ts'
import { fitsResource, type Resource } from './resource.ts'

export type CodeFacts = Readonly<{
  appKey: string
  redirectUri: string
  challenge: Challenge | null
  resource: Resource
  issuedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  spentAt: Temporal.Instant | null
  sessionId: string | null
  /** The user is still signed in, enabled and consenting; the app is active, has kept its grants and the redirect URI. */
  preconditionsHold: boolean
}>

/** `burn`: rejected, and the code is spent. `replay`: rejected, and its session ends. The reason is for the log only. */
export type Exchange = Readonly<{ kind: 'unknown' | 'burn' | 'replay' | 'grant'; reason: string }>

/** Checked before the code is read: a malformed request does not spend it. */
export function missingExchangeField(form: Form, profile: WireProfile): string | undefined {
  if (!form.code) return 'code is missing.'
  if (!form.redirect_uri && profile.requiresRedirectUriOnExchange) return 'redirect_uri is missing.'
  return undefined
}

/** Decides the exchange of a locked code with a complete form (§4.4, RFC 6749 §4.1.3, RFC 7636 §4.6). */
export function decideExchange(
  code: CodeFacts | undefined,
  appKey: string,
  form: Form,
  now: Temporal.Instant,
  profile: WireProfile,
  digest: (text: string) => string,
): Exchange {
  const burn = ({ text }: Refusal): Exchange => ({ kind: 'burn', reason: text })
  if (!code) return { kind: 'unknown', reason: reasons.unknownCode.text }
  // A replay by its own app ends the session (RFC 6749 §4.1.2). Only a successful exchange has one. Another app, which anyone
  // can name if it has no secret, ends nothing.
  if (code.spentAt) {
    const isReplay = code.sessionId !== null && code.appKey === appKey
    return { kind: isReplay ? 'replay' : 'unknown', reason: reasons.spentCode.text }
  }
  if (code.appKey !== appKey) return burn(reasons.foreignCode)
  if (Temporal.Instant.compare(now, code.expiresAt) >= 0) return burn(reasons.expiredCode)
  if (isFromFuture(code.issuedAt, now)) return burn(reasons.futureCode)
  const redirectUri = form.redirect_uri
  if (redirectUri && !sameRedirectUri(redirectUri, code.redirectUri)) return burn(reasons.otherRedirectUri)
  if (!verifierFits(form.code_verifier, code.challenge, profile, digest)) return burn(reasons.wrongVerifier)
  if (!fitsResource(form, code.resource)) return burn(reasons.otherResource)
  if (!code.preconditionsHold) return burn(reasons.endedGrant)
  return { kind: 'grant', reason: '' }
}

/** A code with a challenge needs its verifier; without a challenge there must be none (RFC 9700 §4.8.2). */
function verifierFits(
  verifier: string | undefined,
  challenge: Challenge | null,
  profile: WireProfile,
  digest: (text: string) => string,
): boolean {
  if (!challenge) return verifier === undefined
  return verifier !== undefined && matchesChallenge(verifier, challenge, profile.acceptsWeakPkce, digest)
}
