import { type Insertable, sql } from 'kysely'
import { endSessions } from '../../access/store/sessions.ts'
import { maxSkewSeconds } from '../../core/clock.ts'
import type { Permission } from '../../core/rights/permissions.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { Tables } from '../../database/tables/tables.ts'

export type SignIn = Readonly<{ signInId: string; userKey: string; clientKey: string; userName: string }>

export async function insertSignIn(db: Db, signIn: Insertable<Tables['sign_in']>): Promise<void> {
  const user_agent = signIn.user_agent.slice(0, 300)
  await db
    .insertInto('sign_in')
    .values({ ...signIn, user_agent })
    .execute()
}

type Looked = Readonly<{ cookieHash: Buffer; now: string | null }>

const selectSignIn = prepared((db, { cookieHash, now }: Looked) =>
  db
    .selectFrom('sign_in')
    .innerJoin('service_user as user', 'user.user_key', 'sign_in.user_key')
    .select(['sign_in_id as signInId', 'user.user_key as userKey', 'client_key as clientKey', 'name as userName'])
    .where('cookie_hash', '=', cookieHash)
    .where('ended_at', 'is', null)
    .where('disabled', '=', false)
    .where(sql<boolean>`expires_at > coalesce(${now}::timestamptz, '-infinity')`)
    // Excludes a sign-in from a future that was time-travelled to.
    .where(
      sql<boolean>`created_at <= coalesce(${now}::timestamptz + ${maxSkewSeconds} * interval '1 second', 'infinity')`,
    ),
)

/** The sign-in of a browser, if it has not ended and its user is enabled; with `now`, only if it is valid then. */
export async function readSignIn(db: Db, cookieHash: Buffer, now?: Temporal.Instant): Promise<SignIn | undefined> {
  return (await selectSignIn(db, { cookieHash, now: now?.toString() ?? null }))[0]
}

/** The same user signs in again in the same browser: sessions move to the new sign-in. */
export async function replaceSignIn(trx: Trx, before: string, after: string, now: Temporal.Instant): Promise<void> {
  await markEnded(trx, before, now)
  await trx
    .updateTable('session')
    .set({ sign_in_id: after })
    .where('sign_in_id', '=', before)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends a sign-in and every session started from it (§4.12). */
export async function endSignIn(trx: Trx, signInId: string, now: Temporal.Instant): Promise<void> {
  await markEnded(trx, signInId, now)
  await endSessions(trx, { signInId }, 'signed out', now)
}

async function markEnded(trx: Trx, signInId: string, now: Temporal.Instant): Promise<void> {
  const open = trx.updateTable('sign_in').where('sign_in_id', '=', signInId).where('ended_at', 'is', null)
  await open.set({ ended_at: now.toString() }).execute()
}

const selectConsent = prepared((db, { userKey, appKey }: { userKey: string; appKey: string }) =>
  db
    .selectFrom('consent')
    .select(['loopback_origin as loopbackOrigin', 'permissions'])
    .where('user_key', '=', userKey)
    .where('app_key', '=', appKey),
)

/** The consent of a user. With a `loopbackOrigin` it is for that origin only. */
export type Consent = Readonly<{
  userKey: string
  appKey: string
  loopbackOrigin: string | undefined
  permissions: readonly Permission[]
}>

export async function hasConsent(db: Db, consent: Consent): Promise<boolean> {
  const { userKey, appKey, loopbackOrigin, permissions } = consent
  const [given] = await selectConsent(db, { userKey, appKey })
  if (!given || permissions.some((permission) => !given.permissions.includes(permission))) return false
  return loopbackOrigin === undefined || given.loopbackOrigin === loopbackOrigin
}

/** Remembers the last loopback origin only, so that an app that always uses another port leaves one row. Permissions add up,
 *  except those that were given for another origin. Returns whether the consent is new. */
export async function recordConsent(db: Db, consented: Consent, now: Temporal.Instant): Promise<boolean> {
  const { userKey, appKey, loopbackOrigin, permissions } = consented
  const consent = {
    user_key: userKey,
    app_key: appKey,
    given_at: now.toString(),
    loopback_origin: loopbackOrigin ?? null,
    permissions: [...permissions],
  }
  const isOtherOrigin = sql<boolean>`excluded.loopback_origin <> coalesce(consent.loopback_origin, '')`
  const result = await db
    .insertInto('consent')
    .values(consent)
    .onConflict((conflict) =>
      conflict
        .columns(['user_key', 'app_key'])
        .doUpdateSet(({ ref }) => ({
          given_at: ref('excluded.given_at'),
          // The permissions of another kind of address must not extend those of the loopback origin.
          loopback_origin: ref('excluded.loopback_origin'),
          permissions: sql<string[]>`case when ${isOtherOrigin} then excluded.permissions
            else array(select unnest(consent.permissions) union select unnest(excluded.permissions)) end`,
        }))
        .where(sql<boolean>`${isOtherOrigin} or not excluded.permissions <@ consent.permissions`),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
