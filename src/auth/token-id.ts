import { randomBytes } from 'node:crypto'

/** An access token has a record in the database if its session can have others: the row of the refresh token that came with it.
 *  Its id is the hash of that refresh token (latin1). After the restore of a snapshot the row exists only if the token was
 *  issued before the snapshot (§11.8). */
export const recordedTokenId = (hash: string): string => Buffer.from(hash, 'latin1').toString('base64url')

/** The hash in the id of a token. Null if the session itself is the record, because the token came with it. */
export const recordedHash = (tokenId: string): Buffer | null =>
  /^[\w-]{43}$/.test(tokenId) ? Buffer.from(tokenId, 'base64url') : null

/** For an access token without a refresh token: a hash of none. */
export const newRecordHash = (): string => randomBytes(32).toString('latin1')
