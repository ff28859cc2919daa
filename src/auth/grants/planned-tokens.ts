import type { TokenResponse } from '../api/schema.ts'
import { recordedTokenId } from '../token-id.ts'
import type { AccessTokens, NewClaims } from '../tokens.ts'

/** A token response before its tokens are made. Making it signs, which takes longer than everything before. */
export type PlannedTokens = Readonly<{
  claims: Omit<NewClaims, 'jti'>
  expiresIn: number
  refreshExpiresIn: number
}>

/** With the hash (latin1) under which it is stored. */
export type NewRefreshToken = Readonly<{ text: string; hash: string }>

export function makeTokens(tokens: AccessTokens, planned: PlannedTokens, refresh: NewRefreshToken): TokenResponse {
  return {
    access_token: tokens.issue({ ...planned.claims, jti: recordedTokenId(refresh.hash) }),
    expires_in: planned.expiresIn,
    token_type: 'Bearer',
    refresh_token: refresh.text,
    refresh_token_expires_in: planned.refreshExpiresIn,
  }
}
