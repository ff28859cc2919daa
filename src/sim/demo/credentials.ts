import type { UserRecord } from '../../access/api/schema.ts'
import type { AppDocument } from '../../apps/import/document.ts'
import { sha256 } from '../../core/crypto/keys.ts'
import { Passwords } from '../../core/crypto/passwords.ts'
import { hashesPublished, type PublishedCredentials } from '../../core/crypto/published.ts'
import type { Db } from '../../database/open.ts'
import { findPublishedRows, readOperators } from '../store/published.ts'
import { readDemoFile } from './files.ts'

type AccessRecord = Readonly<{ kind: string }> & Partial<UserRecord>

/** The keys, secrets and passwords in the files of demo/. */
export async function readDemoCredentials(): Promise<PublishedCredentials> {
  const apps = await readDemoFile<AppDocument>('apps.ndjson')
  const users = (await readDemoFile<AccessRecord>('clients.ndjson')).filter(({ kind }) => kind === 'user')
  const secrets = apps.flatMap(({ Secrets = [] }) => Secrets.flatMap(({ Secret }) => Secret ?? []))
  return {
    appKeys: new Set(apps.map(({ AppKey }) => AppKey)),
    secretHashes: new Set(secrets.map((secret) => sha256(secret).toString('hex'))),
    userKeys: new Set(users.flatMap(({ UserKey }) => UserKey ?? [])),
    userNames: new Set(users.flatMap(({ Name }) => Name?.toLowerCase() ?? [])),
    passwords: new Set(users.flatMap(({ Password }) => Password ?? [])),
  }
}

/** Names what a database has of the demo's credentials, for a live service, which must not have any. */
export async function listDemoCredentials(db: Db): Promise<string[]> {
  const published = await readDemoCredentials()
  const { apps, secrets, users } = await findPublishedRows(db, published)
  const found = [
    ...apps.map(({ appKey }) => `app ${appKey}`),
    ...secrets.map(({ appKey }) => `the demo's secret of app ${appKey}`),
  ]
  const isPublic = publicPasswords(published)
  for (const { userKey, name, passwordHash } of users) {
    if (published.userKeys.has(userKey)) found.push(`user ${name} with the key of a demo user`)
    if (passwordHash !== null && (await isPublic(passwordHash))) found.push(`the demo's password of user ${name}`)
  }
  return found
}

/** The names of operators with a password of the demo: of a few operators, or only of the one with this name. */
export async function listPublicOperators(db: Db, onlyName?: string): Promise<string[]> {
  const published = await readDemoCredentials()
  const isPublic = publicPasswords(published)
  const found: string[] = []
  for (const { name, passwordHash } of await readOperators(db, published, onlyName ?? null))
    if (await isPublic(passwordHash)) found.push(name)
  return found
}

function publicPasswords(published: PublishedCredentials): (passwordHash: string) => Promise<boolean> {
  const passwords = new Passwords()
  return (passwordHash) => passwords.inTurn('', (matches) => hashesPublished(passwordHash, published, matches))
}

/** Stops the start of a live service that has credentials of the demo. */
export async function refuseDemoCredentials(db: Db): Promise<void> {
  const found = await listDemoCredentials(db)
  if (found.length > 0)
    throw new Error(
      `This live database has credentials that everyone knows from the demo: ${found.join(', ')}. Delete these records ` +
        'with refdesk import ("delete": true), replace the secret with refdesk apps secret rotate --overlap 0h, or change ' +
        'the password with refdesk users password. Then start again.',
    )
}
