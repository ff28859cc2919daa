import { hash, randomBytes } from 'node:crypto'
import { randomGuid } from '../core/crypto/keys.ts'
import type { Resource } from './rules/resource.ts'

const agentsPrefix = 'agents-'

/** A new code or refresh token. Its text shows whether it is for agents. */
export const newGrantText = (resource: Resource): string =>
  resource === null ? randomGuid() : `${agentsPrefix}${randomGuid()}`

/** The hash (base64url) by which a code or refresh token is found. For agents it is another function: a node of a version that
 *  ignores the resource would issue a token of the REST API, and so must find nothing. */
export const grantHash = (text: string): string =>
  hash(text.startsWith(agentsPrefix) ? 'sha512-256' : 'sha256', text, 'base64url')

export const hashBytes = (grantHash: string): Buffer => Buffer.from(grantHash, 'base64url')

/** An access token has a record in the database if its session can have others: the row of the refresh token that came with it,
 *  whose hash is its id. After the restore of a snapshot the row exists only if it was issued before the snapshot (§11.8).
 *  Null if the session itself is the record, because the token came with it. */
export const recordedHash = (tokenId: string): Buffer | null =>
  /^[\w-]{43}$/.test(tokenId) ? hashBytes(tokenId) : null

/** For an access token without a refresh token: a hash of none. */
export const newRecordHash = (): string => randomBytes(32).toString('base64url')
