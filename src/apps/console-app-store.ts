import { announce } from '../database/changes.ts'
import type { Db } from '../database/open.ts'

/** The console signs in like any app. Its own belongs to nobody, so nobody lists or changes it (contract §8). */
export const consoleApp = { AppKey: 'c0501e00c0501e00c0501e00c0501e00', Name: 'refdesk console' } as const

export const consoleCallback = (publicUrl: string): string => `${publicUrl}/console/callback`

/** Makes the console's app where it is missing, and lets it return to where the service now says it is. */
export async function ensureConsoleApp(db: Db, publicUrl: string, now: Temporal.Instant): Promise<void> {
  const uri = consoleCallback(publicUrl)
  const known = await db.selectFrom('redirect_uri').select('uri').where('app_key', '=', consoleApp.AppKey).execute()
  if (known.length === 1 && known[0]?.uri === uri) return
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('app')
      .values({
        app_key: consoleApp.AppKey,
        client_key: null,
        name: consoleApp.Name,
        description: 'The web console of this service.',
        flow: 'PKCE',
        online_level: 'Trade',
        offline_level: 'Trade',
        created_by: null,
        created_at: now.toString(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx
      .insertInto('redirect_uri')
      .values({ app_key: consoleApp.AppKey, uri, label: null, description: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx.deleteFrom('redirect_uri').where('app_key', '=', consoleApp.AppKey).where('uri', '<>', uri).execute()
    await announce(trx, [{ topic: 'app', key: consoleApp.AppKey }])
  })
}
