import type { Caller } from '../../core/caller.ts'
import { maxSkewSeconds } from '../../core/clock.ts'
import type { Introspection } from '../api/schema.ts'

/** The claims of an access token (§4.1, RFC 9068 §2.2), which introspection returns. */
export type AccessClaims = Required<Omit<Introspection, 'active' | 'token_type' | 'day_token'>> & DayTokenClaim
/** Only 24-hour tokens have it, and tokens that replace one after a change of the clock. */
type DayTokenClaim = Readonly<{ day_token?: true }>

export const readAndWrite = '77770'
export const readOnly = '77700'

/** `oaa` is read and write only if both authorization levels of the app are Trade (§8.5). */
export function accessLevel(onlineLevel: string, offlineLevel: string): string {
  return onlineLevel === 'Trade' && offlineLevel === 'Trade' ? readAndWrite : readOnly
}

/** After the clock was set back, a token from the future is rejected until its time comes. */
export function isInTime({ iat, exp }: { iat: number; exp: number }, nowSeconds: number): boolean {
  return iat <= nowSeconds + maxSkewSeconds && nowSeconds < exp
}

/** The caller of a token with a valid signature; undefined if its claims are for another service or time. */
export function callerOf(
  claims: Partial<AccessClaims>,
  issuer: string,
  audience: string,
  nowSeconds: number,
): Caller | undefined {
  const { iss, aud, exp, iat, uid, cid, sid, client_id, oaa, day_token: isDayToken = false } = claims
  if (iss !== issuer || aud !== audience || typeof exp !== 'number' || typeof iat !== 'number') return undefined
  if (!isInTime({ iat, exp }, nowSeconds)) return undefined
  if (!uid || !cid || !sid || !client_id) return undefined
  const mayWrite = oaa === readAndWrite
  return { UserKey: uid, ClientKey: cid, sessionId: sid, appKey: client_id, mayWrite, expiresAt: exp, isDayToken }
}

export const dayTokenClaim = ({ isDayToken }: Pick<Caller, 'isDayToken'>): DayTokenClaim =>
  isDayToken ? { day_token: true } : {}

export const daySeconds = 86_400

/** How long a 24-hour token is valid (§11.5). One that was obtained with another ends with it: otherwise its holder could
 *  renew it until the session ends, which no other token without a refresh token can do. */
export function dayTokenSeconds({ isDayToken, expiresAt }: Caller, nowSeconds: number): number {
  return isDayToken ? expiresAt - nowSeconds : daySeconds
}
