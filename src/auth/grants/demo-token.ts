import { readAllUsers } from '../../access/store/all-identities.ts'
import { findUserByName } from '../../access/store/identities.ts'
import { readApp } from '../../apps/store/apps.ts'
import { consoleApp } from '../../apps/store/console-app.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import { epochSeconds, plusSeconds } from '../../core/clock.ts'
import { invalidToken } from '../../core/problem.ts'
import { printable } from '../../core/text.ts'
import type { AuthContext, RequestSource } from '../context.ts'
import { daySeconds, dayTokenClaim, dayTokenSeconds } from '../rules/access-token.ts'
import { lockGrant } from '../store/sessions.ts'
import { grantEntry, issueAccessToken, issueFurtherToken, startSession } from './issue.ts'

/** refdesk token: of the demo app, or of the console's app where the demo app is absent or inactive. */
export async function issueCommandToken(context: AuthContext, demoAppKey: string, userName: string): Promise<string> {
  const demo = await context.directory.find(demoAppKey)
  return issueDemoToken(context, demo?.isActive ? demoAppKey : consoleApp.AppKey, userName)
}

/** For the command line: a token valid for a day, to try the API in sim without a sign-in. */
export async function issueDemoToken(context: AuthContext, appKey: string, userName: string): Promise<string> {
  if (context.config.environment !== 'sim') throw new Error('Demo tokens exist in the sim environment only.')
  const [app, user] = await Promise.all([context.directory.find(appKey), findUserByName(context.db, userName)])
  if (!app) throw new Error('No app of this database gets such tokens. Start the service once, which creates one.')
  if (!app.isActive) throw new Error(`The app ${app.name} is inactive.`)
  if (!user || user.disabled) throw new Error(await noUser(context, userName))
  const source = { address: 'command line', userAgent: 'refdesk token' }
  const call = { context, app, source, now: context.clock.now() }
  return context.db.transaction().execute(async (trx) => {
    const grant = { ...user, signInId: null, redirectUri: null, challenge: null, resource: null }
    const session = await startSession(call, trx, grant, daySeconds)
    await appendAudit(trx, grantEntry('DemoTokenIssued', call, session))
    return issueAccessToken(call, session, daySeconds, dayTokenClaim({ isDayToken: true })).token
  })
}

const maxNames = 10

async function noUser({ db }: AuthContext, userName: string): Promise<string> {
  const names: string[] = []
  for await (const page of readAllUsers(db, undefined)) {
    for (const { name, disabled } of page) if (!disabled) names.push(printable(name))
    if (names.length > maxNames) break
  }
  const advice =
    names.length === 0
      ? 'There is none yet: import one, or refdesk users add.'
      : names.length > maxNames
        ? 'List the users with: refdesk users list'
        : `Active users: ${names.join(', ')}.`
  return `There is no active user ${userName}. ${advice}`
}

/** For a signed-in user: a token of the caller's own session, so it ends with it. It cannot be used to get a later one. */
export async function issueDayToken(context: AuthContext, caller: Caller, source: RequestSource) {
  const { sessionId, appKey } = caller
  return context.db.transaction().execute(async (trx) => {
    // The lock keeps a session that is being ended from getting another day.
    const session = await lockGrant(trx, sessionId)
    const app = await readApp(trx, appKey)
    if (!app) throw invalidToken()
    const call = { context, app, source, now: context.clock.now() }
    const seconds = dayTokenSeconds(caller, epochSeconds(call.now))
    if (seconds <= 0) throw invalidToken()
    await appendAudit(trx, grantEntry('DemoTokenIssued', call, session))
    const claim = dayTokenClaim({ isDayToken: true })
    const { token, expiresIn } = await issueFurtherToken(trx, call, session, seconds, claim)
    return { token, expiresIn, expiresAt: plusSeconds(call.now, expiresIn), appKey }
  })
}
