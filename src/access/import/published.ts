import { Passwords } from '../../core/crypto/passwords.ts'
import { hashesPublished, type PublishedCredentials } from '../../core/crypto/published.ts'
import type { Db } from '../../database/open.ts'
import type { ReportError, StagedErrors } from '../../database/staging/copy.ts'
import type { UserRecord } from '../api/schema.ts'
import { readStagedHashes } from '../store/import-checks.ts'

const passwordReason = 'Is the password of a demo user, which everyone knows. Live rejects it: choose another.'

export function checkPublishedUser(
  { UserKey, Password }: UserRecord,
  { userKeys, passwords }: PublishedCredentials,
  reportError: ReportError,
): void {
  if (userKeys.has(UserKey)) reportError('UserKey', 'Is the key of a demo user. Live rejects it: create another.')
  if (Password !== undefined && passwords.has(Password)) reportError('Password', passwordReason)
}

/** Checking a hash takes 30 ms or more. A sign-in with a published password fails in any case. */
const maxHashes = 1_000

/** Checks the hashes of users who have the name of a demo user, then other new hashes, up to a limit (§1.3). */
export async function findPublishedHashes(db: Db, published: PublishedCredentials): Promise<StagedErrors> {
  const listed: StagedErrors['listed'][number][] = []
  if (published.userNames.size === 0) return { listed, total: 0 }
  const passwords = new Passwords()
  for (const { line, key, passwordHash } of await readStagedHashes(db, [...published.userNames], maxHashes))
    if (await passwords.inTurn('', (matches) => hashesPublished(passwordHash, published, matches)))
      listed.push({ line, kind: 'user', key, field: 'PasswordHash', reason: passwordReason, other: null })
  return { listed, total: listed.length }
}
