import { findUserByName, writeUserDisabled } from '../../access/store/identities.ts'
import { endEverything } from '../../access/store/sessions.ts'
import { appendAudit } from '../../audit/append.ts'
import type { AuthContext } from '../context.ts'

/** refdesk users disable | enable: disabling ends all sessions immediately and blocks sign-ins. */
export async function setUserDisabled(
  { db, clock }: Pick<AuthContext, 'db' | 'clock'>,
  name: string | undefined,
  disabled: boolean,
  say: (line: string) => void,
): Promise<0> {
  const user = name === undefined ? undefined : await findUserByName(db, name)
  if (!user)
    throw new Error(
      `There is no user ${name ?? '(give a name)'}. List the users with: npx refdesk export --kind user --file users.ndjson`,
    )
  const now = clock.now()
  const ended = await db.transaction().execute(async (trx) => {
    await writeUserDisabled(trx, user, disabled)
    const kind = disabled ? 'UserDisabled' : 'UserEnabled'
    await appendAudit(trx, { at: now, kind, user: user.userKey, userName: user.name })
    return disabled ? endEverything(trx, user.userKey, 'user disabled', now) : []
  })
  say(
    disabled
      ? `User ${user.name} is disabled; ${ended.length} sessions ended.`
      : `User ${user.name} may sign in again.`,
  )
  return 0
}
