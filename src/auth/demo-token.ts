import { appendAudit } from '../access/audit.ts'
import { findUserByName } from '../access/store.ts'
import type { AuthContext } from './context.ts'
import { beginSession, grantEntry, issueAccessToken } from './issue.ts'

export const demoTokenSeconds = 86_400

/** A token that lives a day, for trying the interface in the sim environment without a sign-in. */
export async function issueDemoToken(context: AuthContext, appKey: string, userName: string): Promise<string> {
  if (context.config.environment !== 'sim') throw new Error('Such tokens exist in the sim environment only.')
  const [app, user] = await Promise.all([context.directory.find(appKey), findUserByName(context.db, userName)])
  if (!app) throw new Error('The demo app is not in this database. Start with DEMO=on on an empty one.')
  if (!app.IsActive) throw new Error('The demo app is inactive.')
  if (!user || user.disabled) throw new Error(`There is no user ${userName}.`)
  const now = context.clock.now()
  const origin = { address: 'command line', userAgent: 'refdesk token' }
  return context.db.transaction().execute(async (trx) => {
    const grant = { app, userKey: user.userKey, clientKey: user.clientKey, signInId: null, redirectUri: null }
    const holder = await beginSession(context, trx, { ...grant, challenge: undefined }, origin, now)
    await appendAudit(trx, grantEntry('DemoTokenIssued', holder, app, origin, now))
    return (await issueAccessToken(context, holder, app, now, demoTokenSeconds)).token
  })
}
