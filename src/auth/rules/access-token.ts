import type { Caller } from '../../core/caller.ts'
import { maxSkewSeconds } from '../../core/clock.ts'

/** What an access token says (contract §4, RFC 9068 §2.2). */
export type AccessClaims = {
  iss: string
  sub: string
  aud: string
  client_id: string
  iat: number
  exp: number
  jti: string
  uid: string
  cid: string
  sid: string
  aid: string
  oaa: string
}

export const readAndWrite = '77770'
export const readOnly = '77700'

/** `oaa` says read and write only when both authorization levels of the app are Trade (§8). */
export function accessLevel(onlineLevel: string, offlineLevel: string): string {
  return onlineLevel === 'Trade' && offlineLevel === 'Trade' ? readAndWrite : readOnly
}

/** Whether a token is of this time: issued already, and not ended. One from the future was not issued by us, or the clock
 *  was set back since: then it is refused until its time comes. */
export function isInTime({ iat, exp }: { iat: number; exp: number }, nowSeconds: number): boolean {
  return iat <= nowSeconds + maxSkewSeconds && nowSeconds < exp
}

/** The caller of a token whose signature holds, or undefined when its claims are not for us or not for now. */
export function callerOf(
  claims: Partial<AccessClaims>,
  issuer: string,
  audience: string,
  nowSeconds: number,
): Caller | undefined {
  const { iss, aud, exp, iat, uid, cid, sid, client_id, oaa } = claims
  if (iss !== issuer || aud !== audience || typeof exp !== 'number' || typeof iat !== 'number') return undefined
  if (!isInTime({ iat, exp }, nowSeconds)) return undefined
  if (!uid || !cid || !sid || !client_id) return undefined
  return { UserKey: uid, ClientKey: cid, sessionId: sid, appKey: client_id, mayWrite: oaa === readAndWrite }
}
