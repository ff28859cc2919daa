import { sql } from 'kysely'
import type { PublishedCredentials } from '../../core/crypto/published.ts'
import type { Db } from '../../database/open.ts'

/** Bounds the time that checking their passwords takes. */
const maxOperators = 20

/** Operators who may sign in, all or the one with this name. Those who have the key or name of a demo user come first. */
export async function readOperators(db: Db, { userKeys, userNames }: PublishedCredentials, onlyName: string | null) {
  const { rows } = await sql<{ name: string; passwordHash: string }>`
    select name, password_hash as "passwordHash" from service_user
    where is_operator and not disabled and password_hash is not null
      and (${onlyName}::text is null or lower(name) = lower(${onlyName}::text))
    order by user_key = any(${[...userKeys]}) or lower(name) = any(${[...userNames]}) desc, name
    limit ${maxOperators}`.execute(db)
  return rows
}

/** Apps, secrets and users that have a published key, secret or name. A few of each at most. */
export async function findPublishedRows(db: Db, { appKeys, secretHashes, userKeys, userNames }: PublishedCredentials) {
  const apps = await db
    .selectFrom('app')
    .select('app_key as appKey')
    .where('app_key', 'in', [...appKeys])
    .execute()
  const { rows: secrets } = await sql<{ appKey: string }>`select distinct app_key as "appKey" from app_secret
    where encode(secret_sha256, 'hex') = any(${[...secretHashes]}) and valid_until > now() order by 1 limit 10`.execute(
    db,
  )
  const { rows: users } = await sql<{ userKey: string; name: string; passwordHash: string | null }>`
    select user_key as "userKey", name, password_hash as "passwordHash" from service_user
    where user_key = any(${[...userKeys]}) or lower(name) = any(${[...userNames]}) order by name`.execute(db)
  return { apps, secrets, users }
}
