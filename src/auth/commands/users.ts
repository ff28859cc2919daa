import {
  findUserByName,
  type UserFacts,
  writeOperator,
  writePassword,
  writeUserDisabled,
} from '../../access/store/identities.ts'
import { endAccess } from '../../access/store/sessions.ts'
import { appendAudit } from '../../audit/append.ts'
import { checkPasswordLength, hashPassword } from '../../core/crypto/passwords.ts'
import { plural } from '../../core/text.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { AuthContext } from '../context.ts'

type Context = Pick<AuthContext, 'db' | 'clock'>
type Out = (line: string) => void

/** refdesk users disable | enable: disabling ends all sessions immediately and blocks sign-ins. */
export async function setUserDisabled(
  { db, clock }: Context,
  name: string | undefined,
  disabled: boolean,
  say: Out,
): Promise<0> {
  const user = await requireUser(db, name)
  const end = (trx: Trx) => endAccess(trx, user.userKey, 'user disabled', clock.now())
  // Disabling may have to wait for an import, and a user whose password is known to others must not.
  const first = disabled ? await db.transaction().execute(end) : []
  const rest = await db.transaction().execute(async (trx) => {
    await writeUserDisabled(trx, user, disabled, () => {
      if (disabled) say(`${plural(first.length, 'session')} of ${user.name} ended.`)
      say('Waiting for another change, such as an import, to end.')
      if (disabled)
        say(
          `Until then ${user.name} can sign in again. A new password prevents it: refdesk users password ${user.name}`,
        )
    })
    const kind = disabled ? 'UserDisabled' : 'UserEnabled'
    await appendAudit(trx, { at: clock.now(), kind, user: user.userKey, userName: user.name })
    // Nothing that a user had before comes back when they are enabled.
    return disabled || user.disabled ? end(trx) : []
  })
  say(
    disabled
      ? `User ${user.name} is disabled; ${plural(first.length + rest.length, 'session')} ended.`
      : `User ${user.name} may sign in again.`,
  )
  return 0
}

/** refdesk users password: everything that the user had ends, because the old password may be known to others. */
export async function changePassword(
  { db, clock }: Context,
  name: string | undefined,
  readPassword: () => Promise<string | undefined>,
  say: Out,
): Promise<0> {
  const user = await requireUser(db, name)
  const password = await readPassword()
  if (password === undefined) throw new Error('No password was given. Type it, or send it to standard input.')
  checkPasswordLength(password)
  const passwordHash = await hashPassword(password)
  const now = clock.now()
  const ended = await db.transaction().execute(async (trx) => {
    await writePassword(trx, user, passwordHash)
    await appendAudit(trx, { at: now, kind: 'PasswordChanged', user: user.userKey, userName: user.name })
    return endAccess(trx, user.userKey, 'password changed', now)
  })
  say(`The password of ${user.name} was changed; ${plural(ended.length, 'session')} ended.`)
  return 0
}

/** refdesk users operator: with SIM_CONTROLS=operators, only operators change the clock, inject faults and reset. */
export async function setOperator(
  { db, clock }: Context,
  name: string | undefined,
  isOperator: boolean,
  say: Out,
): Promise<0> {
  const user = await requireUser(db, name)
  const kind = isOperator ? 'OperatorAdded' : 'OperatorRemoved'
  await db.transaction().execute(async (trx) => {
    await writeOperator(trx, user, isOperator)
    await appendAudit(trx, { at: clock.now(), kind, user: user.userKey, userName: user.name })
  })
  const state = isOperator ? 'now' : 'no longer'
  say(`User ${user.name} is ${state} an operator. The console menu changes at the next sign-in.`)
  return 0
}

async function requireUser(db: Db, name: string | undefined): Promise<UserFacts> {
  const user = name === undefined ? undefined : await findUserByName(db, name)
  if (!user) throw new Error(`There is no user ${name ?? '(give a name)'}. List the users with: refdesk users list`)
  return user
}
