import { randomGuid } from '../../core/crypto/keys.ts'
import type { TokenResponse } from '../api/schema.ts'
import type { AccessTokens, NewClaims } from '../tokens.ts'

/** A token response before its tokens are made. Making it signs, which takes longer than everything before. */
export type PlannedTokens = Readonly<{ claims: NewClaims; expiresIn: number; refreshExpiresIn: number }>

export function makeTokens(tokens: AccessTokens, planned: PlannedTokens): TokenResponse {
  return {
    access_token: tokens.issue(planned.claims),
    expires_in: planned.expiresIn,
    token_type: 'Bearer',
    refresh_token: randomGuid(),
    refresh_token_expires_in: planned.refreshExpiresIn,
  }
}
