import { isDeepStrictEqual } from 'node:util'
import { unseal } from '../core/keys.ts'
import { hashPassword, Passwords } from '../core/passwords.ts'
import type { Stage } from '../database/copy.ts'
import type { Trx } from '../database/open.ts'
import { readPresent } from './export-store.ts'
import { accessRightStage, accountStage, clientStage, userStage } from './import-check-store.ts'
import { putAccessRight, putAccount, putClient, putUser, removeAccessRight } from './import-store.ts'
import { removeAccount, removeClient, removeUser } from './removal-store.ts'
import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from './schema.ts'
import { readStaged, releaseNames } from './stage-store.ts'

/** A user as it is staged: a password in clear is sealed under a key of the run's own. */
export type StagedUser = Omit<UserRecord, 'Password'> & { sealedPassword?: string }
export const passwordContext = (userKey: string): string => `password of ${userKey}`

class Count {
  readonly kind: string
  added = 0
  changed = 0
  unchanged = 0
  removed = 0

  constructor(kind: string) {
    this.kind = kind
  }
}

/** First what is there after the import, then what goes: so that an account that moves to another client has left the
 *  one that is removed. */
export async function applyAccess(trx: Trx, passwordKey: Buffer, now: Temporal.Instant) {
  const notes: string[] = []
  await releaseNames(trx)
  const clients = await putChanged(trx, 'client', clientStage, (record: ClientRecord) => putClient(trx, record))
  const accounts = await putChanged(trx, 'account', accountStage, (record: AccountRecord) => putAccount(trx, record))
  const users = await putUsers(trx, passwordKey, now)
  const rights = await putRights(trx)
  await removeStaged(trx, accessRightStage, rights, (_key, record) =>
    removeAccessRight(trx, record as AccessRightRecord),
  )
  await removeStaged(trx, userStage, users, (key) => removeUser(trx, key, now))
  await removeStaged(trx, accountStage, accounts, (key) => removeAccount(trx, key))
  await removeStaged(trx, clientStage, clients, async (key) => {
    const note = await removeClient(trx, key, now)
    if (note !== undefined) notes.push(note)
    return note !== undefined
  })
  return { counts: [clients, accounts, users, rights], notes }
}

async function putChanged<Record extends object>(
  trx: Trx,
  kind: 'client' | 'account' | 'user',
  stage: Stage,
  put: (record: Record) => Promise<void>,
  prepare: (records: Record[], present: Map<string, object>) => Promise<Record[]> = async (records) => records,
): Promise<Count> {
  const count = new Count(kind)
  for await (const rows of readStaged<Record>(trx, stage, false)) {
    const keys = rows.map(({ key }) => key)
    const present = await readPresent(trx, kind, keys)
    const records = await prepare(
      rows.map(({ record }) => record),
      present,
    )
    for (const [index, record] of records.entries()) {
      const before = present.get(keys[index] ?? '')
      if (before && isSame(before, record)) count.unchanged++
      else {
        await put(record)
        if (before) count.changed++
        else count.added++
      }
    }
  }
  return count
}

/** Members in any order, groups too, and what says nothing, are no difference. */
function isSame(before: object, record: object): boolean {
  return isDeepStrictEqual(plain(before), plain(record))
}

function plain(record: object): object {
  const { AccountGroups, Disabled, ...rest } = record as Partial<ClientRecord> & { Disabled?: boolean }
  const groups = (AccountGroups ?? []).toSorted((a, b) => (a.AccountGroupKey < b.AccountGroupKey ? -1 : 1))
  return { ...rest, groups, disabled: Disabled ?? false }
}

/** A password that is the present one keeps its hash, so that the same import twice changes nothing. */
function putUsers(trx: Trx, passwordKey: Buffer, now: Temporal.Instant): Promise<Count> {
  const passwords = new Passwords()
  const hashed = async ({ sealedPassword, ...user }: StagedUser, present: Map<string, object>): Promise<StagedUser> => {
    if (sealedPassword === undefined) return user
    const sealed = Buffer.from(sealedPassword, 'base64')
    const password = unseal(passwordKey, sealed, passwordContext(user.UserKey)).toString('utf8')
    const { PasswordHash } = (present.get(user.UserKey) ?? {}) as StagedUser
    return passwords.inTurn(async (matches) => {
      const isSame = PasswordHash !== undefined && (await matches(PasswordHash, password))
      return { ...user, PasswordHash: isSame ? PasswordHash : await hashPassword(password) }
    })
  }
  const prepare = async (users: StagedUser[], present: Map<string, object>) => {
    const done: StagedUser[] = []
    // A few at a time: each takes a core for a while, and memory.
    for (let start = 0; start < users.length; start += 50)
      done.push(...(await Promise.all(users.slice(start, start + 50).map((user) => hashed(user, present)))))
    return done
  }
  return putChanged(trx, 'user', userStage, (user: StagedUser) => putUser(trx, user, now), prepare)
}

async function putRights(trx: Trx): Promise<Count> {
  const count = new Count('accessRight')
  for await (const rows of readStaged<AccessRightRecord>(trx, accessRightStage, false))
    for (const { record } of rows) {
      if (await putAccessRight(trx, record)) count.added++
      else count.unchanged++
    }
  return count
}

/** What is not there need not go: nothing changes then. */
async function removeStaged(
  trx: Trx,
  stage: Stage,
  count: Count,
  remove: (key: string, record: object) => Promise<boolean>,
): Promise<void> {
  for await (const rows of readStaged(trx, stage, true))
    for (const { key, record } of rows) if (await remove(key, record)) count.removed++
}
