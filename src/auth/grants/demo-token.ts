import { findUserByName } from '../../access/store/identities.ts'
import type { AppFacts } from '../../apps/store/apps.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { plusSeconds } from '../../core/clock.ts'
import type { Trx } from '../../database/open.ts'
import { invalidToken } from '../bearer.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { lockGrant } from '../store/sessions.ts'
import { grantEntry, issueAccessToken, startSession } from './issue.ts'

const daySeconds = 86_400

/** For the command line: a token valid for a day, to try the API in sim without a sign-in. */
export async function issueDemoToken(context: AuthContext, appKey: string, userName: string): Promise<string> {
  if (context.config.environment !== 'sim') throw new Error('Demo tokens exist in the sim environment only.')
  const [app, user] = await Promise.all([context.directory.find(appKey), findUserByName(context.db, userName)])
  if (!app) throw new Error('The demo app is not in this database. Start with DEMO=on on an empty one.')
  if (!app.IsActive) throw new Error('The demo app is inactive.')
  if (!user || user.disabled) throw new Error(`There is no user ${userName}.`)
  const source = { address: 'command line', userAgent: 'refdesk token' }
  return context.db.transaction().execute(async (trx) => (await startDay(context, trx, app, user, source)).token)
}

export type DayToken = Readonly<{ token: string; expiresIn: number; expiresAt: Temporal.Instant; appKey: string }>

/** For a signed-in user: a token of the demo app if it is active, otherwise of the calling app. */
export async function issueDayToken(
  context: AuthContext,
  caller: Caller,
  demoAppKey: string,
  source: RequestSource,
): Promise<DayToken> {
  const demoApp = await context.directory.find(demoAppKey)
  const app = demoApp?.IsActive ? demoApp : await context.directory.find(caller.appKey)
  return context.db.transaction().execute(async (trx) => {
    // The lock keeps a session that is being ended from getting another day.
    const granted = await lockGrant(trx, caller.sessionId)
    if (!app || !granted) throw invalidToken()
    // Distinguishes it from the app's other sessions in the list.
    const labelled = { ...source, userAgent: `24-hour token, ${source.userAgent}` }
    return startDay(context, trx, app, { userKey: caller.UserKey, clientKey: granted.clientKey }, labelled)
  })
}

/** A separate session with a single token. */
async function startDay(
  context: AuthContext,
  trx: Trx,
  app: AppFacts,
  { userKey, clientKey }: { userKey: string; clientKey: string },
  source: RequestSource,
): Promise<DayToken> {
  const now = context.clock.now()
  const grant = { app, userKey, clientKey, signInId: null, redirectUri: null, challenge: undefined }
  const session = await startSession(context, trx, grant, source, now, daySeconds)
  await appendAudit(trx, grantEntry('DemoTokenIssued', session, app, source, now))
  const { token, expiresIn } = await issueAccessToken(context, session, app, now, daySeconds)
  return { token, expiresIn, expiresAt: plusSeconds(now, expiresIn), appKey: app.AppKey }
}
