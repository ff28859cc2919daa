import { type Static, type TProperties, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { entityKeyPattern } from '../../core/crypto/keys.ts'
import { passwordLengths } from '../../core/crypto/passwords.ts'
import { currencyCode, matching, named, oneOf, singleLine } from '../../core/schema.ts'
import { accountFields, accountGroupFields, clientFields, recordMembers, userFields } from './fields.ts'

/** ClientKey, AccountKey, UserKey and AccountGroupKey. */
export const EntityKey = Type.String(matching('a 24-character key such as YOjHpvTCTlWWcx|2vafgFA==', entityKeyPattern))

const Name = Type.String({ minLength: 1, maxLength: 200 })
const closed = <Members extends TProperties>(members: Members) => Type.Object(members, { additionalProperties: false })

const AccountGroup = closed({ AccountGroupKey: EntityKey, Name, ...recordMembers(accountGroupFields) })

export const ClientRecord = closed({
  ClientKey: EntityKey,
  ClientId: Name,
  Name,
  OwnerClientKey: Type.Optional(EntityKey),
  AccountGroups: Type.Optional(Type.Array(AccountGroup, { maxItems: 10_000 })),
  ...recordMembers(clientFields),
})
export type ClientRecord = Static<typeof ClientRecord>

export const AccountRecord = closed({
  AccountKey: EntityKey,
  AccountId: Name,
  ClientKey: EntityKey,
  AccountGroupKey: Type.Optional(EntityKey),
  Currency: Type.String(currencyCode),
  ...recordMembers(accountFields),
})
export type AccountRecord = Static<typeof AccountRecord>

export const UserRecord = closed({
  UserKey: EntityKey,
  Name,
  ClientKey: EntityKey,
  Disabled: Type.Optional(Type.Boolean()),
  Operator: Type.Optional(Type.Boolean()),
  PasswordHash: Type.Optional(Type.String()),
  Password: Type.Optional(Type.String(passwordLengths)),
  ...recordMembers(userFields),
})
export type UserRecord = Static<typeof UserRecord>

export const AccessLevel = named('AccessLevel', oneOf('View', 'Trade'), 'View: may see. Trade: may see and trade.')

export const AccessRightRecord = closed({
  ClientKey: EntityKey,
  AccountKey: Type.Optional(EntityKey),
  UserKey: Type.Optional(EntityKey),
  AssetTypes: Type.Optional(Type.Array(AssetType)),
  ExchangeIds: Type.Optional(Type.Array(Type.String(singleLine(1, 32)), { maxItems: 1_000 })),
  Level: AccessLevel,
})
export type AccessRightRecord = Static<typeof AccessRightRecord>
