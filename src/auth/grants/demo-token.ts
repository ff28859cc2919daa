import { findUserByName } from '../../access/store/identities.ts'
import type { AppFacts } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { plusSeconds } from '../../core/clock.ts'
import type { Trx } from '../../database/open.ts'
import { invalidToken } from '../bearer.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { lockGrant } from '../store/sessions.ts'
import { beginSession, grantEntry, issueAccessToken } from './issue.ts'

const dayTokenSeconds = 86_400

/** For the command line: a token that lives a day, for trying the interface in the sim environment without a sign-in. */
export async function issueDemoToken(context: AuthContext, appKey: string, userName: string): Promise<string> {
  if (context.config.environment !== 'sim') throw new Error('Such tokens exist in the sim environment only.')
  const [app, user] = await Promise.all([context.directory.find(appKey), findUserByName(context.db, userName)])
  if (!app) throw new Error('The demo app is not in this database. Start with DEMO=on on an empty one.')
  if (!app.IsActive) throw new Error('The demo app is inactive.')
  if (!user || user.disabled) throw new Error(`There is no user ${userName}.`)
  const source = { address: 'command line', userAgent: 'refdesk token' }
  return context.db.transaction().execute(async (trx) => (await beginDay(context, trx, app, user, source)).token)
}

export type DayToken = Readonly<{ token: string; expiresIn: number; expiresAt: Temporal.Instant; appKey: string }>

/** For somebody who is here already: a token of the demo app where there is one that works, else of their own. */
export async function issueDayToken(
  context: AuthContext,
  caller: Caller,
  demoAppKey: string,
  source: RequestSource,
): Promise<DayToken> {
  const demoApp = await context.directory.find(demoAppKey)
  const app = demoApp?.IsActive ? demoApp : await context.directory.find(caller.appKey)
  return context.db.transaction().execute(async (trx) => {
    // Who is being signed out at this moment gets no day more.
    const granted = await lockGrant(trx, caller.sessionId)
    if (!app || !granted) throw invalidToken()
    // It is told apart from the sessions of this app that people signed in to.
    const named = { ...source, userAgent: `24-hour token, ${source.userAgent}` }
    return beginDay(context, trx, app, { userKey: caller.UserKey, clientKey: granted.clientKey }, named)
  })
}

/** A session of its own, with the one token that there will be of it. */
async function beginDay(
  context: AuthContext,
  trx: Trx,
  app: AppFacts,
  { userKey, clientKey }: { userKey: string; clientKey: string },
  source: RequestSource,
): Promise<DayToken> {
  const now = context.clock.now()
  const grant = { app, userKey, clientKey, signInId: null, redirectUri: null, challenge: undefined }
  const holder = await beginSession(context, trx, grant, source, now, dayTokenSeconds)
  await appendAudit(trx, grantEntry('DemoTokenIssued', holder, app, source, now))
  const { token, expiresIn } = await issueAccessToken(context, holder, app, now, dayTokenSeconds)
  return { token, expiresIn, expiresAt: plusSeconds(now, expiresIn), appKey: app.AppKey }
}
