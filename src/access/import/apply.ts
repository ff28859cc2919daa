import { isDeepStrictEqual } from 'node:util'
import { unseal } from '../../core/crypto/keys.ts'
import { hashPassword, Passwords } from '../../core/crypto/passwords.ts'
import { countsInWords, plural } from '../../core/text.ts'
import type { Trx } from '../../database/open.ts'
import type { Stage } from '../../database/staging/copy.ts'
import { readStaged } from '../../database/staging/read.ts'
import type { Filled } from '../../database/staging/stages.ts'
import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from '../api/schema.ts'
import { readPresent } from '../store/export.ts'
import {
  announceClients,
  putAccessRights,
  putAccounts,
  putClients,
  putUsers,
  releaseNames,
  removeAccessRight,
} from '../store/import.ts'
import { accessRightStage, accountStage, clientStage, userStage } from '../store/import-checks.ts'
import { removeAccount, removeClient, removeUser } from '../store/removal.ts'

/** A staged user. A plain password is encrypted with a key that exists only during this import. */
export type StagedUser = Omit<UserRecord, 'Password'> & { sealedPassword?: string }
export const passwordContext = (userKey: string): string => `password of ${userKey}`

const newCount = (kind: string) => ({ kind, added: 0, changed: 0, unchanged: 0, removed: 0 })
type Count = ReturnType<typeof newCount>

/** Clients that notes name. */
const maxNamed = 20

/** Writes records before it removes any, so that an account can move away from a client that is removed. Announces
 *  every changed client once, at the end. */
export async function applyAccess(trx: Trx, filled: Filled, passwordKey: Buffer, now: Temporal.Instant) {
  const notes: string[] = []
  const changedClients = new Set<string>()
  const changes: Changes = { trx, filled, changedClients }
  await releaseNames(trx, filled)
  const clients = await putChanged(changes, 'client', clientStage, (some: ClientRecord[]) => putClients(trx, some))
  const accounts = await putChanged(changes, 'account', accountStage, (some: AccountRecord[]) => putAccounts(trx, some))
  const users = filled.has(userStage.table) ? await putChangedUsers(changes, passwordKey, now) : newCount('user')
  const rights = await putRights(changes)
  await removeStaged(changes, accessRightStage, rights, (_key, record) =>
    removeAccessRight(trx, record as AccessRightRecord),
  )
  await removeStaged(changes, userStage, users, (key) => removeUser(trx, key, now))
  const removedWith = { positions: 0, elections: 0 }
  await removeStaged(changes, accountStage, accounts, async (key) => {
    const removed = await removeAccount(trx, key)
    removedWith.positions += removed?.positions ?? 0
    removedWith.elections += removed?.elections ?? 0
    return removed?.client_key
  })
  const removedText = countsInWords([
    [removedWith.positions, 'position'],
    [removedWith.elections, 'election'],
  ])
  if (removedText !== '') notes.push(`Removed with the accounts: ${removedText}.`)
  await removeStaged(changes, clientStage, clients, async (key) => {
    const note = await removeClient(trx, key, now)
    if (note === undefined) return undefined
    if (clients.removed < maxNamed) notes.push(note)
    return key
  })
  if (clients.removed > maxNamed) notes.push(`and ${plural(clients.removed - maxNamed, 'more client')}.`)
  await announceClients(trx, changedClients)
  return { counts: [clients, accounts, users, rights], notes }
}

type Changes = Readonly<{ trx: Trx; filled: Filled; changedClients: Set<string> }>

async function* stagedOf<Row extends object>({ trx, filled }: Changes, stage: Stage, deletion: boolean) {
  if (filled.has(stage.table)) yield* readStaged<Row>(trx, stage, deletion)
}

function noteClients({ changedClients }: Changes, clientKeys: readonly string[]): void {
  for (const key of clientKeys) changedClients.add(key)
}

async function putChanged<Row extends object>(
  changes: Changes,
  kind: 'client' | 'account' | 'user',
  stage: Stage,
  put: (records: Row[]) => Promise<string[]>,
  prepare: (records: Row[], present: Map<string, object>) => Promise<Row[]> = async (records) => records,
): Promise<Count> {
  const count = newCount(kind)
  for await (const rows of stagedOf<Row>(changes, stage, false)) {
    const keys = rows.map(({ key }) => key)
    const present = await readPresent(changes.trx, kind, keys)
    const records = await prepare(
      rows.map(({ record }) => record),
      present,
    )
    const changed = records.filter((record, index) => {
      const before = present.get(keys[index] ?? '')
      const isUnchanged = before !== undefined && isSame(before, record)
      if (isUnchanged) count.unchanged++
      else if (before) count.changed++
      else count.added++
      return !isUnchanged
    })
    if (changed.length > 0) noteClients(changes, await put(changed))
  }
  return count
}

/** Compares records regardless of the order of members and groups, and of defaults. */
function isSame(before: object, record: object): boolean {
  return isDeepStrictEqual(comparable(before), comparable(record))
}

function comparable(record: object): object {
  const { AccountGroups, Disabled, Operator, ...rest } = record as Partial<ClientRecord & UserRecord>
  const groups = (AccountGroups ?? []).toSorted((a, b) => (a.AccountGroupKey < b.AccountGroupKey ? -1 : 1))
  return { ...rest, groups, disabled: Disabled ?? false, operator: Operator ?? false }
}

/** An unchanged password keeps its hash, so that repeating an import changes nothing. */
function putChangedUsers(changes: Changes, passwordKey: Buffer, now: Temporal.Instant): Promise<Count> {
  const passwords = new Passwords()
  const hashed = async ({ sealedPassword, ...user }: StagedUser, present: Map<string, object>): Promise<StagedUser> => {
    if (sealedPassword === undefined) return user
    const sealed = Buffer.from(sealedPassword, 'base64')
    const password = unseal(passwordKey, sealed, passwordContext(user.UserKey)).toString('utf8')
    const { PasswordHash } = (present.get(user.UserKey) ?? {}) as StagedUser
    return passwords.inTurn('import', async (matches) => {
      const isSamePassword = PasswordHash !== undefined && (await matches(PasswordHash, password))
      return { ...user, PasswordHash: isSamePassword ? PasswordHash : await hashPassword(password) }
    })
  }
  const prepare = async (users: StagedUser[], present: Map<string, object>) => {
    const done: StagedUser[] = []
    // In batches: each hash occupies a core and memory.
    for (let start = 0; start < users.length; start += 50)
      done.push(...(await Promise.all(users.slice(start, start + 50).map((user) => hashed(user, present)))))
    return done
  }
  return putChanged(changes, 'user', userStage, (some: StagedUser[]) => putUsers(changes.trx, some, now), prepare)
}

async function putRights(changes: Changes): Promise<Count> {
  const count = newCount('accessRight')
  for await (const rows of stagedOf<AccessRightRecord>(changes, accessRightStage, false)) {
    const added = await putAccessRights(
      changes.trx,
      rows.map(({ record }) => record),
    )
    noteClients(changes, added)
    count.added += added.length
    count.unchanged += rows.length - added.length
  }
  return count
}

/** Removes staged deletions; absent records change nothing. `remove` returns the client of the record. */
async function removeStaged(
  changes: Changes,
  stage: Stage,
  count: Count,
  remove: (key: string, record: object) => Promise<string | undefined>,
): Promise<void> {
  for await (const rows of stagedOf(changes, stage, true))
    for (const { key, record } of rows) {
      const clientKey = await remove(key, record)
      if (clientKey === undefined) continue
      noteClients(changes, [clientKey])
      count.removed++
    }
}
