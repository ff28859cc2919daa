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

/** What a database has of the demo's credentials, and the command that ends it. */
export type DemoCredential = Readonly<{ name: string; remedy: string }>

/** `echo` and not a file: the line can be copied as it is. Keys have no quotes. */
const deletion = (record: Readonly<Record<string, string>>): string =>
  `echo '${JSON.stringify({ ...record, delete: true })}' | refdesk import - --format ndjson`

/** Lists the demo's credentials in a database, for a live service, which must not have any. */
export async function listDemoCredentials(db: Db): Promise<DemoCredential[]> {
  const published = await readDemoCredentials()
  const { appKeys } = published
  const { apps, secrets, users } = await findPublishedRows(db, published)
  const found = [
    ...apps.map(({ appKey }) => ({ name: `app ${appKey}`, remedy: deletion({ kind: 'app', AppKey: appKey }) })),
    ...secrets.map(({ appKey }) => ({
      name: `the demo's secret of app ${appKey}`,
      remedy: appKeys.has(appKey)
        ? deletion({ kind: 'app', AppKey: appKey })
        : `refdesk apps secret rotate ${appKey} --overlap 0h`,
    })),
  ]
  const isPublic = publicPasswords(published)
  for (const { userKey, name, passwordHash } of users) {
    // Another password does not help a user whose key everyone knows.
    const isDemoUser = published.userKeys.has(userKey)
    const remedy = isDemoUser
      ? deletion({ kind: 'user', UserKey: userKey })
      : `refdesk users password ${/^[\w.@-]+$/.test(name) ? name : 'NAME'}`
    if (isDemoUser) found.push({ name: `user ${name} with the key of a demo user`, remedy })
    if (passwordHash !== null && (await isPublic(passwordHash)))
      found.push({ name: `the demo's password of user ${name}`, remedy })
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
      `This live database has credentials that everyone knows from the demo: ${found.map(({ name }) => name).join(', ')}. ` +
        'refdesk doctor names the command that ends each. Then start again.',
    )
}
