import { announce } from '../../database/changes.ts'
import type { Db } from '../../database/open.ts'

/** The console signs in like any app. Its own belongs to nobody, so nobody lists or changes it (contract §8). */
export const consoleApp = { AppKey: 'c0501e00c0501e00c0501e00c0501e00', Name: 'refdesk console' } as const

export const consoleCallback = (publicUrl: string): string => `${publicUrl}/console/callback`

/** What the console's app must be: whoever changed a row of it by hand would have locked everybody out. */
const facts = {
  client_key: null,
  name: consoleApp.Name,
  description: 'The web console of this service.',
  flow: 'PKCE',
  is_active: true,
  status: 'OK',
  online_level: 'Trade',
  offline_level: 'Trade',
} as const

/** Makes the console's app where it is missing or was changed, and lets it return to where the service says it is. */
export async function ensureConsoleApp(db: Db, publicUrl: string, now: Temporal.Instant): Promise<void> {
  const app_key = consoleApp.AppKey
  const uri = consoleCallback(publicUrl)
  const [app, uris] = await Promise.all([
    db.selectFrom('app').selectAll().where('app_key', '=', app_key).executeTakeFirst(),
    db.selectFrom('redirect_uri').select('uri').where('app_key', '=', app_key).execute(),
  ])
  const isRight = Object.entries(facts).every(([name, value]) => app?.[name as keyof typeof facts] === value)
  if (isRight && uris.length === 1 && uris[0]?.uri === uri) return
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('app')
      .values({ app_key, ...facts, created_by: null, created_at: now.toString() })
      .onConflict((conflict) => conflict.column('app_key').doUpdateSet(facts))
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
