import { type Static, type TProperties, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { entityKeyPattern } from '../../core/crypto/keys.ts'
import { currencyCode, matching, named, oneOf, singleLine } from '../../core/schema.ts'

/** ClientKey, AccountKey, UserKey and AccountGroupKey. */
export const EntityKey = Type.String(matching('a 24-character key such as YOjHpvTCTlWWcx|2vafgFA==', entityKeyPattern))

const text = (description: string) => Type.String({ description })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const closed = <Members extends TProperties>(members: Members) => Type.Object(members, { additionalProperties: false })

const AccountGroup = closed({ AccountGroupKey: EntityKey, Name })

export const ClientRecord = closed({
  ClientKey: EntityKey,
  ClientId: Name,
  Name,
  OwnerClientKey: Type.Optional(EntityKey),
  AccountGroups: Type.Optional(Type.Array(AccountGroup, { maxItems: 10_000 })),
})
export type ClientRecord = Static<typeof ClientRecord>

export const AccountRecord = closed({
  AccountKey: EntityKey,
  AccountId: Name,
  ClientKey: EntityKey,
  AccountGroupKey: Type.Optional(EntityKey),
  Currency: Type.String(currencyCode),
})
export type AccountRecord = Static<typeof AccountRecord>

export const UserRecord = closed({
  UserKey: EntityKey,
  Name,
  ClientKey: EntityKey,
  Disabled: Type.Optional(Type.Boolean()),
  PasswordHash: Type.Optional(Type.String()),
  Password: Type.Optional(Type.String({ minLength: 8, maxLength: 1000 })),
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

const LegalAssetTypes = Type.Array(AssetType, { description: 'The asset types that the caller may see.' })

const ClientKey = 'JGMWQM9k|3uj5EIDjH1z9Q=='
const userExample = {
  Active: true,
  ClientKey,
  Culture: 'en-GB',
  Language: 'en',
  LegalAssetTypes: ['Bond', 'Stock'],
  Name: 'ada',
  TimeZoneId: 0,
  UserId: 'ada',
  UserKey: 'YOjHpvTCTlWWcx|2vafgFA==',
}
const clientExample = { ClientId: '10001', ClientKey, LegalAssetTypes: ['Bond', 'Stock'], Name: 'Ada Holding' }
const accountExample = {
  AccountId: '9226397',
  AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
  AccountType: 'Normal',
  Active: true,
  ClientId: '10001',
  ClientKey,
  Currency: 'EUR',
  DisplayName: '9226397',
  LegalAssetTypes: ['Bond', 'Stock'],
}

export const UserView = Type.Object(
  {
    Active: Type.Boolean({ description: 'Whether the user may sign in.' }),
    ClientKey: EntityKey,
    Culture: text('The culture for formatting dates and numbers.'),
    Language: text('The language of the user.'),
    LegalAssetTypes,
    Name: text('The name that the user signs in with.'),
    TimeZoneId: Type.Integer({ description: 'The id of the user’s time zone.' }),
    UserId: text('The id of the user.'),
    UserKey: EntityKey,
  },
  { title: 'User', description: 'A user.', examples: [userExample] },
)

export const ClientView = Type.Object(
  {
    ClientId: text('The id of the client.'),
    ClientKey: EntityKey,
    DefaultAccountId: Type.Optional(text('The default account.')),
    DefaultAccountKey: Type.Optional(EntityKey),
    DefaultCurrency: Type.Optional(text('The currency of the default account.')),
    LegalAssetTypes,
    Name: text('The name of the client.'),
  },
  { title: 'Client', description: 'A client.', examples: [clientExample] },
)

export const AccountView = Type.Object(
  {
    AccountGroupKey: Type.Optional(EntityKey),
    AccountId: text('The id of the account.'),
    AccountKey: EntityKey,
    AccountType: text('Always Normal.'),
    Active: Type.Boolean({ description: 'Always true.' }),
    ClientId: text('The id of the client.'),
    ClientKey: EntityKey,
    Currency: text('The currency of the account, ISO 4217.'),
    DisplayName: text('The display name of the account.'),
    LegalAssetTypes,
  },
  { title: 'Account', description: 'An account.', examples: [accountExample] },
)

const may = (what: string) => Type.Boolean({ description: `Whether the user may ${what} with this token.` })
const never = (what: string) => Type.Boolean({ description: `Always false: refdesk has no ${what}.` })

/** Unsupported features are always denied. */
export const unsupported = {
  CanManageCashTransfers: false,
  CanTakePriceSession: false,
  CanTakeTradeSession: false,
  CanViewAnyClient: false,
}

export const SessionUser = Type.Object(
  {
    AccessRights: Type.Object(
      {
        CanManageCashTransfers: never('cash transfers'),
        CanTakePriceSession: never('price sessions'),
        CanTakeTradeSession: never('trade sessions'),
        CanTrade: may('trade any instrument'),
        CanViewAnyClient: never('users who may see every client'),
      },
      { title: 'UserAccessRights', description: 'What the user may do.' },
    ),
    ClientId: text('The ClientId of `clients/me`.'),
    Roles: Type.Array(Type.String(), { description: 'Always empty: refdesk has no roles.' }),
    UserId: text('The UserId of `users/me`.'),
  },
  {
    title: 'SessionUser',
    examples: [{ AccessRights: { ...unsupported, CanTrade: true }, ClientId: '10001', Roles: [], UserId: 'ada' }],
  },
)
