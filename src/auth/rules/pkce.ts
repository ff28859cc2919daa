export type Challenge = { value: string; method: 'S256' | 'plain' }

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/
const weakVerifierForm = /^[A-Za-z0-9._~-]{1,128}$/
const s256Form = /^[A-Za-z0-9_-]{43}$/

/** Parses the challenge of an authorization request. Returns a string if it is invalid. */
export function readChallenge(
  value: string | undefined,
  method: string | undefined,
  acceptsWeak: boolean,
): Challenge | undefined | string {
  if (value === undefined) return method === undefined ? undefined : 'code_challenge_method requires code_challenge.'
  // The default method is plain (RFC 7636 §4.3).
  const name = method ?? 'plain'
  if (name === 'S256')
    return s256Form.test(value)
      ? { value, method: 'S256' }
      : 'code_challenge must be a base64url SHA-256 hash of 43 characters.'
  if (name !== 'plain') return 'code_challenge_method is unknown; use S256.'
  if (!acceptsWeak)
    return method === undefined
      ? 'code_challenge_method is missing; send S256.'
      : 'code_challenge_method plain is not accepted; use S256.'
  return weakVerifierForm.test(value)
    ? { value, method: 'plain' }
    : 'code_challenge must have 1 to 128 characters of letters, digits and - . _ ~.'
}

export function matchesChallenge(
  verifier: string,
  challenge: Challenge,
  acceptsWeak: boolean,
  digest: (text: string) => string,
): boolean {
  if (challenge.method === 'plain' && !acceptsWeak) return false
  if (!(acceptsWeak ? weakVerifierForm : verifierForm).test(verifier)) return false
  return (challenge.method === 'plain' ? verifier : digest(verifier)) === challenge.value
}
