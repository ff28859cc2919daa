import { announce } from '../../database/changes.ts'
import type { Db } from '../../database/open.ts'

/** The console signs in like any app. Its app belongs to no client, so no one can list or change it (§8.1). */
export const consoleApp = { AppKey: 'c0501e00c0501e00c0501e00c0501e00', Name: 'refdesk console' } as const

export const consoleCallback = (publicUrl: string): string => `${publicUrl}/console/callback`

/** Restored at every start: a manual change of the row could lock every user out of the console. */
const columns = {
  client_key: null,
  name: consoleApp.Name,
  description: 'The web console of this service.',
  flow: 'PKCE',
  is_active: true,
  status: 'OK',
  online_level: 'Trade',
  offline_level: 'Trade',
} as const

/** Creates or repairs the console's app, with the redirect URI that fits the public URL. */
export async function ensureConsoleApp(db: Db, publicUrl: string, now: Temporal.Instant): Promise<void> {
  const app_key = consoleApp.AppKey
  const uri = consoleCallback(publicUrl)
  const [app, uris] = await Promise.all([
    db.selectFrom('app').selectAll().where('app_key', '=', app_key).executeTakeFirst(),
    db.selectFrom('redirect_uri').select('uri').where('app_key', '=', app_key).execute(),
  ])
  const isCurrent = Object.entries(columns).every(([name, value]) => app?.[name as keyof typeof columns] === value)
  if (isCurrent && uris.length === 1 && uris[0]?.uri === uri) return
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('app')
      .values({ app_key, ...columns, created_by: null, created_at: now.toString() })
      .onConflict((conflict) => conflict.column('app_key').doUpdateSet(columns))
      .execute()
    await trx
      .insertInto('redirect_uri')
      .values({ app_key, uri, label: null, description: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx.deleteFrom('redirect_uri').where('app_key', '=', app_key).where('uri', '<>', uri).execute()
    await announce(trx, [{ topic: 'app', key: app_key }])
  })
}
