import { type Static, Type } from 'typebox'
import { AssetType } from '../core/asset-type.ts'
import { entityKeyPattern } from '../core/keys.ts'
import { ofForm, oneOf } from '../core/schema.ts'

/** ClientKey, AccountKey and their like. */
export const EntityKey = Type.String(ofForm('base64 of 16 bytes, with | and -', entityKeyPattern))

const Name = Type.String({ minLength: 1, maxLength: 200 })

export const ClientRecord = Type.Object({
  ClientKey: EntityKey,
  ClientId: Name,
  Name,
  OwnerClientKey: Type.Optional(EntityKey),
  AccountGroups: Type.Optional(Type.Array(Type.Object({ AccountGroupKey: EntityKey, Name }))),
})
export type ClientRecord = Static<typeof ClientRecord>

export const AccountRecord = Type.Object({
  AccountKey: EntityKey,
  AccountId: Name,
  ClientKey: EntityKey,
  AccountGroupKey: Type.Optional(EntityKey),
  Currency: Type.String({ pattern: '^[A-Z]{3}$' }),
})
export type AccountRecord = Static<typeof AccountRecord>

export const UserRecord = Type.Object({
  UserKey: EntityKey,
  Name,
  ClientKey: EntityKey,
  Disabled: Type.Optional(Type.Boolean()),
  PasswordHash: Type.Optional(Type.String()),
  Password: Type.Optional(Type.String({ minLength: 8, maxLength: 1000 })),
})
export type UserRecord = Static<typeof UserRecord>

export const AccessRightRecord = Type.Object({
  ClientKey: EntityKey,
  AccountKey: Type.Optional(EntityKey),
  UserKey: Type.Optional(EntityKey),
  AssetTypes: Type.Optional(Type.Array(AssetType)),
  ExchangeIds: Type.Optional(Type.Array(Type.String())),
  Level: oneOf('View', 'Trade'),
})
export type AccessRightRecord = Static<typeof AccessRightRecord>

const LegalAssetTypes = Type.Array(AssetType, { description: 'The asset types that the caller may see.' })

/** GET /port/v1/users/me. */
export const UserView = Type.Object({
  Active: Type.Boolean(),
  ClientKey: EntityKey,
  Culture: Type.String(),
  Language: Type.String(),
  LegalAssetTypes,
  Name: Type.String(),
  TimeZoneId: Type.Integer(),
  UserId: Type.String(),
  UserKey: EntityKey,
})
export type UserView = Static<typeof UserView>

/** GET /port/v1/clients/me. */
export const ClientView = Type.Object({
  ClientId: Type.String(),
  ClientKey: EntityKey,
  DefaultAccountId: Type.Optional(Type.String()),
  DefaultAccountKey: Type.Optional(EntityKey),
  DefaultCurrency: Type.Optional(Type.String()),
  LegalAssetTypes,
  Name: Type.String(),
})
export type ClientView = Static<typeof ClientView>

/** A row of GET /port/v1/accounts/me. */
export const AccountView = Type.Object({
  AccountGroupKey: Type.Optional(EntityKey),
  AccountId: Type.String(),
  AccountKey: EntityKey,
  AccountType: Type.String(),
  Active: Type.Boolean(),
  ClientId: Type.String(),
  ClientKey: EntityKey,
  Currency: Type.String(),
  DisplayName: Type.String(),
  LegalAssetTypes,
})
export type AccountView = Static<typeof AccountView>
