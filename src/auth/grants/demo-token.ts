import { findUserByName } from '../../access/store/identities.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { plusSeconds } from '../../core/clock.ts'
import { invalidToken } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { lockGrant } from '../store/sessions.ts'
import { type GrantCall, grantEntry, issueAccessToken, noteSignIn, startSession } from './issue.ts'

const daySeconds = 86_400

/** For the command line: a token valid for a day, to try the API in sim without a sign-in. */
export async function issueDemoToken(context: AuthContext, appKey: string, userName: string): Promise<string> {
  if (context.config.environment !== 'sim') throw new Error('Demo tokens exist in the sim environment only.')
  const [app, user] = await Promise.all([context.directory.find(appKey), findUserByName(context.db, userName)])
  if (!app) throw new Error('The demo app is not in this database. Start with DEMO=on on an empty one.')
  if (!app.isActive) throw new Error('The demo app is inactive.')
  if (!user || user.disabled)
    throw new Error(
      `There is no active user ${userName}. List the users with: npx refdesk export --kind user --file users.ndjson`,
    )
  const source = { address: 'command line', userAgent: 'refdesk token' }
  const call = { context, app, source, now: context.clock.now() }
  return context.db.transaction().execute(async (trx) => (await startDay(call, trx, user)).token)
}

/** For a signed-in user: a token of the demo app if it is active, otherwise of the calling app. */
export async function issueDayToken(context: AuthContext, caller: Caller, demoAppKey: string, source: RequestSource) {
  const demoApp = await context.directory.find(demoAppKey)
  const app = demoApp?.isActive ? demoApp : await context.directory.find(caller.appKey)
  const day = await context.db.transaction().execute(async (trx) => {
    // The lock keeps a session that is being ended from getting another day.
    const granted = await lockGrant(trx, caller.sessionId)
    if (!app || !granted) throw invalidToken()
    // Distinguishes it from the app's other sessions in the list.
    const labelled = { ...source, userAgent: `24-hour token, ${source.userAgent}` }
    const call = { context, app, source: labelled, now: context.clock.now() }
    return startDay(call, trx, { userKey: caller.UserKey, clientKey: granted.clientKey })
  })
  await noteSignIn(context, caller.ClientKey)
  return day
}

/** A separate session with a single token. */
async function startDay(call: GrantCall, trx: Trx, { userKey, clientKey }: { userKey: string; clientKey: string }) {
  const grant = { userKey, clientKey, signInId: null, redirectUri: null, challenge: null }
  const session = await startSession(call, trx, grant, daySeconds)
  await appendAudit(trx, grantEntry('DemoTokenIssued', call, session))
  const { token, expiresIn } = issueAccessToken(call, session, daySeconds)
  return { token, expiresIn, expiresAt: plusSeconds(call.now, expiresIn), appKey: call.app.appKey }
}
