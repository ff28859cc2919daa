import { randomBytes } from 'node:crypto'
import { seal } from '../../core/crypto/keys.ts'
import type { PublishedCredentials } from '../../core/crypto/published.ts'
import type { Db, Trx } from '../../database/open.ts'
import type { CopyValue, ReportError } from '../../database/staging/copy.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from '../api/schema.ts'
import {
  accessRightStage,
  accountStage,
  clientStage,
  findAccessErrors,
  listClientsWithoutRights,
  userStage,
} from '../store/import-checks.ts'
import { applyAccess, passwordContext, type StagedUser } from './apply.ts'
import { checkPublishedUser, findPublishedHashes } from './published.ts'

/** The record kinds client, account, user and accessRight (§9.1). */
const clientKind = {
  name: 'client',
  key: ['ClientKey'],
  schema: ClientRecord,
  stage: clientStage,
  check: (record: ClientRecord, reportError: ReportError) => {
    const groups = (record.AccountGroups ?? []).map((group) => group.AccountGroupKey)
    if (new Set(groups).size < groups.length) reportError('AccountGroups', 'Must list each AccountGroupKey once.')
  },
  row: (record: ClientRecord, document: string): CopyValue[] => [
    record.ClientKey,
    record.ClientId,
    record.OwnerClientKey ?? null,
    (record.AccountGroups ?? []).map((group) => group.AccountGroupKey),
    document,
  ],
}

const accountKind = {
  name: 'account',
  key: ['AccountKey'],
  schema: AccountRecord,
  stage: accountStage,
  row: (record: AccountRecord, document: string): CopyValue[] => [
    record.AccountKey,
    record.AccountId,
    record.ClientKey,
    record.AccountGroupKey ?? null,
    document,
  ],
}

const argon2id =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** Bounds the cost of a hash, because every sign-in pays it: at most 1 GiB of memory. Minimums are those of RFC 9106 §3.1. */
function isPasswordHash(text: string): boolean {
  const [, m, t, p, ...texts] = argon2id.exec(text) ?? []
  if (m === undefined) return false
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)]
  const isSane = lanes >= 1 && lanes <= 16 && passes >= 1 && passes <= 20 && memory >= 8 * lanes && memory <= 1_048_576
  return isSane && texts.every((base64) => base64.length % 4 !== 1)
}

/** A plain password is encrypted for the run under a key that only this process has, and hashed when it is applied. It is
 *  never written in clear. */
const userKind = (key: Buffer, published: PublishedCredentials) => ({
  name: 'user',
  key: ['UserKey'],
  schema: UserRecord,
  stage: userStage,
  check: (record: UserRecord, reportError: ReportError) => {
    checkPublishedUser(record, published, reportError)
    if (record.Password !== undefined && record.PasswordHash !== undefined)
      reportError('Password', 'Must not be combined with PasswordHash: send one of them.')
    if (record.PasswordHash !== undefined && !isPasswordHash(record.PasswordHash))
      reportError(
        'PasswordHash',
        'Must be an argon2id hash, such as $argon2id$v=19$m=19456,t=2,p=1$..., with m up to 1048576, t to 20, p to 16.',
      )
  },
  warn: ({ Name, Password, PasswordHash }: UserRecord, report: ReportError) => {
    if (Password === undefined && PasswordHash === undefined)
      report('Password', `Is missing: ${Name} cannot sign in until refdesk users password sets one.`)
  },
  row: ({ Password, ...record }: UserRecord, document: string): CopyValue[] => {
    const { UserKey, Name, ClientKey } = record
    if (Password === undefined) return [UserKey, Name, ClientKey, document]
    const sealedPassword = seal(key, Password, passwordContext(UserKey)).toString('base64')
    const staged: StagedUser & { kind: undefined } = { ...record, sealedPassword, kind: undefined }
    return [UserKey, Name, ClientKey, JSON.stringify(staged)]
  },
})

const accessRightKind = {
  name: 'accessRight',
  key: [],
  schema: AccessRightRecord,
  stage: accessRightStage,
  row: (record: AccessRightRecord, document: string): CopyValue[] => {
    const { ClientKey, AccountKey = null, UserKey = null, AssetTypes, ExchangeIds, Level } = record
    const key = JSON.stringify([ClientKey, AccountKey, UserKey, AssetTypes, ExchangeIds, Level])
    return [key, ClientKey, AccountKey, UserKey, document]
  },
}

export function accessFamily(now: Temporal.Instant, published: PublishedCredentials) {
  const key = randomBytes(32)
  return {
    kinds: [clientKind, accountKind, userKind(key, published), accessRightKind],
    findErrors: async (db: Db, filled: Filled) => [
      ...(await findAccessErrors(db, filled)),
      ...(filled.has(userStage.table) ? [await findPublishedHashes(db, published)] : []),
    ],
    apply: async (trx: Trx, filled: Filled) => {
      const { counts, notes } = await applyAccess(trx, filled, key, now)
      return { counts, notes: [...notes, ...(filled.has(clientStage.table) ? await rightsNotes(trx) : [])] }
    },
  }
}

const maxNamed = 10

async function rightsNotes(trx: Trx): Promise<string[]> {
  const clients = await listClientsWithoutRights(trx, maxNamed + 1)
  const more = clients.length > maxNamed ? [...clients.slice(0, maxNamed), 'more'] : clients
  if (more.length === 0) return []
  return [`Warning: users see no instruments, because their client has no accessRight: ${more.join(', ')}.`]
}
