export type Challenge = { value: string; method: 'S256' | 'plain' }

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/
const weakVerifierForm = /^[A-Za-z0-9._~-]{1,128}$/
const s256Form = /^[A-Za-z0-9_-]{43}$/

/** Reads the challenge of an authorization request; a string says what is wrong with it. */
export function readChallenge(
  value: string | undefined,
  method: string | undefined,
  acceptsWeak: boolean,
): Challenge | undefined | string {
  if (value === undefined)
    return method === undefined ? undefined : 'code_challenge_method came without code_challenge.'
  // RFC 7636 §4.3: without a method it is plain.
  const name = method ?? 'plain'
  if (name === 'S256')
    return s256Form.test(value) ? { value, method: 'S256' } : 'code_challenge is not a base64url SHA-256.'
  if (name !== 'plain') return 'code_challenge_method is unknown; use S256.'
  if (!acceptsWeak)
    return method === undefined
      ? 'code_challenge_method is missing; send S256.'
      : 'code_challenge_method plain is not accepted; use S256.'
  return weakVerifierForm.test(value) ? { value, method: 'plain' } : 'code_challenge is not of the right form.'
}

/** Whether a verifier answers a challenge. `digest` is base64url(SHA-256(text)). */
export function answersChallenge(
  verifier: string,
  challenge: Challenge,
  acceptsWeak: boolean,
  digest: (text: string) => string,
): boolean {
  if (challenge.method === 'plain' && !acceptsWeak) return false
  if (!(acceptsWeak ? weakVerifierForm : verifierForm).test(verifier)) return false
  return (challenge.method === 'S256' ? digest(verifier) : verifier) === challenge.value
}
