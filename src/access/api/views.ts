import { Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { describe, oneOf } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { accountFields, accountGroupFields, clientFields, userFields, viewMembers, withDefaults } from './fields.ts'
import { EntityKey } from './schema.ts'

const text = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const LegalAssetTypes = Type.Array(AssetType, { description: 'The asset types that the caller may see.' })
const CurrencyDecimals = Type.Integer({ minimum: 0, description: 'The decimals of amounts in the currency.' })

const ClientKey = 'JGMWQM9k|3uj5EIDjH1z9Q=='
const AccountKey = 'MBZsM65o3H4jc4FdAqA9hw=='
const AccountGroupKey = 'ZIfq9KBUY7wNz4V0g9YWtg=='
const legal = { LegalAssetTypes: ['Bond', 'Stock'] }

export const UserView = Type.Object(
  {
    Active: Type.Boolean({ description: 'Whether the user may sign in.' }),
    ClientKey: EntityKey,
    ...viewMembers(userFields),
    LastLoginStatus: describe(oneOf('Successful'), 'Always Successful.'),
    LastLoginTime: Type.Optional(time('When the newest known session of the user began.')),
    LegalAssetTypes: describe(LegalAssetTypes, 'The asset types that the user may see.'),
    Name: text('The name that the user signs in with.'),
    UserId: text('The id of the user.'),
    UserKey: EntityKey,
  },
  {
    title: 'User',
    description: 'A user.',
    examples: [
      {
        Active: true,
        ClientKey,
        ...withDefaults(userFields, {}),
        LastLoginStatus: 'Successful',
        LastLoginTime: '2026-11-16T09:00:00.000000Z',
        ...legal,
        Name: 'ada',
        UserId: 'ada',
        UserKey: 'YOjHpvTCTlWWcx|2vafgFA==',
      },
    ],
  },
)

const clientExample = {
  ClientId: '10001',
  ClientKey,
  ...withDefaults(clientFields, {}),
  CurrencyDecimals: 2,
  DefaultAccountId: '9226397',
  DefaultAccountKey: AccountKey,
  DefaultCurrency: 'EUR',
  Name: 'Ada Holding',
}

export const ClientView = Type.Object(
  {
    ClientId: text('The id of the client.'),
    ClientKey: EntityKey,
    ...viewMembers(clientFields),
    CurrencyDecimals: Type.Optional(CurrencyDecimals),
    DefaultAccountId: Type.Optional(text('The default account.')),
    DefaultAccountKey: Type.Optional(EntityKey),
    DefaultCurrency: Type.Optional(text('The currency of the default account.')),
    LegalAssetTypes,
    Name: text('The name of the client.'),
  },
  {
    title: 'Client',
    description: 'A client.',
    examples: [{ ...clientExample, ...legal }],
  },
)

const subClient = {
  ClientId: '10002',
  ClientKey: 'oXBwQsnq|0fUAOWYNndqJQ==',
  DefaultAccountId: '9300101',
  DefaultAccountKey: 'XRJncTACOV-9f8-vyE2FQA==',
  DefaultCurrency: 'DKK',
  LegalAssetTypes: ['Stock'],
  Name: 'Bo Berg',
}
export const ClientFeed = describe(FeedOf(ClientView), 'The clients.', {
  examples: [{ Data: [{ ...clientExample, ...subClient }], MaxRows: 1000 }],
})

export const AccountView = Type.Object(
  {
    AccountGroupKey: Type.Optional(EntityKey),
    AccountGroupName: Type.Optional(text('The name of the account group.')),
    AccountId: text('The id of the account.'),
    AccountKey: EntityKey,
    ...viewMembers(accountFields),
    ClientId: text('The id of the client.'),
    ClientKey: EntityKey,
    Currency: text('The currency of the account, ISO 4217.'),
    CurrencyDecimals,
    DisplayName: text('The display name of the account.'),
    LegalAssetTypes,
  },
  {
    title: 'Account',
    description: 'An account.',
    examples: [
      {
        AccountGroupKey,
        AccountGroupName: 'Family',
        AccountId: '9226397',
        AccountKey,
        ...withDefaults(accountFields, { IsTrialAccount: true }),
        CreationDate: '2012-03-01T09:00:00.000000Z',
        ClientId: '10001',
        ClientKey,
        Currency: 'EUR',
        CurrencyDecimals: 2,
        DisplayName: '9226397',
        ...legal,
      },
    ],
  },
)

export const AccountGroupView = Type.Object(
  {
    AccountGroupKey: EntityKey,
    AccountGroupName: text('The name of the account group.'),
    ClientKey: EntityKey,
    ...viewMembers(accountGroupFields),
  },
  {
    title: 'AccountGroup',
    description: 'A group of accounts of one client.',
    examples: [{ AccountGroupKey, AccountGroupName: 'Family', ClientKey, ...withDefaults(accountGroupFields, {}) }],
  },
)

const may = (what: string) => Type.Boolean({ description: `Whether the user may ${what} with this token.` })
const never = (what: string) => Type.Boolean({ description: `Always false: refdesk has no ${what}.` })

const none = (what: string) => Type.Array(Type.String(), { description: `Always empty: refdesk has no ${what}.` })

/** Rights that every user has or lacks: unsupported features are denied, and any session may take any trade level. */
export const fixedRights = {
  CanManageCashTransfers: false,
  CanTakePriceSession: false,
  CanTakeTradeSession: true,
  CanViewAnyClient: false,
}

export const withoutEntries = { ElevatedAuthenticationOperations: [], Roles: [] }

/** Names the operations of the interface that a session allows (§5.5). */
export const operationsOf = ({ canElect, canTrade }: Readonly<Record<'canElect' | 'canTrade', boolean>>): string[] => [
  ...(canElect ? ['OAPI.OP.ManageCorporateActions'] : []),
  'OAPI.OP.TakeTradeSession',
  ...(canTrade ? ['OAPI.OP.Trading'] : []),
  'OAPI.OP.View',
]

export const SessionUser = Type.Object(
  {
    AccessRights: Type.Object(
      {
        CanManageCashTransfers: never('cash transfers'),
        CanTakePriceSession: never('price sessions'),
        CanTakeTradeSession: Type.Boolean({ description: 'Always true: any session may take any trade level.' }),
        CanTrade: may('trade any instrument'),
        CanViewAnyClient: never('users who may see every client'),
      },
      { title: 'UserAccessRights', description: 'What the user may do.' },
    ),
    AccountAccessMode: describe(
      oneOf('Full', 'ReadOnly'),
      'ReadOnly for a token of an app that is not enabled for trading.',
    ),
    ClientId: text('The ClientId of `clients/me`.'),
    ElevatedAuthenticationOperations: none('operations that need a second sign-in'),
    Operations: Type.Array(Type.String(), { description: 'What the user may do with this token.' }),
    Roles: none('roles'),
    UserId: text('The UserId of `users/me`.'),
  },
  {
    title: 'SessionUser',
    examples: [
      {
        AccessRights: { ...fixedRights, CanTrade: true },
        AccountAccessMode: 'Full',
        ClientId: '10001',
        ...withoutEntries,
        Operations: operationsOf({ canElect: true, canTrade: true }),
        UserId: 'ada',
      },
    ],
  },
)
