import { type Static, Type } from 'typebox'
import { AssetType } from '../../core/asset-type.ts'
import { optional, singleLine } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { AccessLevel } from './schema.ts'

export const maxRows = 200
export const maxExchanges = 20
export const maxAccountIds = 10

/** The place of a name can be longer than the name: some letters become two in lower case. */
const cursor = singleLine(1, 400)

export const OperatorQuery = Type.Object({
  Keywords: Type.Optional(
    Type.String({
      ...singleLine(1, 100),
      description: 'Only rows whose name, or whose ClientId or name of the client, contains this text, in any case.',
      examples: ['ada'],
    }),
  ),
  $top: Type.Integer({ minimum: 1, maximum: maxRows, default: 50, description: 'Rows per page.' }),
  $skiptoken: Type.Optional(Type.String({ ...cursor, description: 'Cursor from the `__next` of the previous page.' })),
})
export type OperatorQuery = Static<typeof OperatorQuery>

const AccessGroupView = Type.Object(
  {
    Level: AccessLevel,
    AssetTypes: Type.Array(AssetType, { description: 'The asset types that may be seen or traded.' }),
    ExchangeIds: optional(
      Type.Array(Type.String(), { maxItems: maxExchanges }),
      `The exchanges at which they may be, at most ${maxExchanges} of them. Absent: all exchanges.`,
    ),
    ExchangeCount: optional(Type.Integer({ minimum: 1 }), 'How many exchanges that are. Absent: all exchanges.'),
    IsOnAllAccounts: Type.Boolean({
      description: 'False if a part of it comes from rights on single accounts.',
    }),
  },
  { title: 'AccessGroup', description: 'Asset types with the same level at the same exchanges.' },
)
const Access = Type.Array(AccessGroupView, {
  description: 'What may be seen, and what may be traded. What may be traded may also be seen, and is in both.',
})

const accessExample: Static<typeof Access> = [
  { Level: 'View', AssetTypes: ['Etf', 'Stock'], IsOnAllAccounts: true },
  { Level: 'Trade', AssetTypes: ['Stock'], ExchangeIds: ['NYSE'], ExchangeCount: 1, IsOnAllAccounts: true },
]

const userExample = {
  Access: accessExample,
  ClientId: '10001',
  ClientKey: 'Xb3LkW9pQ1mT7vR2sY5uNA==',
  ClientName: 'Ada Holm',
  Disabled: false,
  HasOwnRights: false,
  LastLoginTime: '2026-11-16T12:00:00.000000Z',
  Name: 'ada',
  Operator: true,
  UserKey: 'YOjHpvTCTlWWcx|2vafgFA==',
}

export const UserAccess = Type.Object(
  {
    Access,
    ClientId: Type.String({ description: 'The client of the user.' }),
    ClientKey: Type.String({ description: 'Its key.' }),
    ClientName: Type.String({ description: 'Its name.' }),
    Disabled: Type.Boolean({ description: 'Whether the user cannot sign in.' }),
    HasOwnRights: Type.Boolean({
      description: 'Whether the user has rights of their own, which replace those of the client.',
    }),
    LastLoginTime: optional(Type.String({ format: 'date-time' }), 'Start of the newest known session.'),
    Name: Type.String({ description: 'The sign-in name.' }),
    Operator: Type.Boolean({ description: 'Whether the user is an operator of the service.' }),
    UserKey: Type.String({ description: 'The key of the user.' }),
  },
  {
    title: 'UserAccess',
    examples: [userExample],
  },
)

export const [maxUserAccounts, maxUserApps] = [100, 100]

export const UserParams = Type.Object({
  UserKey: Type.String({ maxLength: 100, description: 'The key of the user.', examples: ['YOjHpvTCTlWWcx|2vafgFA=='] }),
})

const UserApp = Type.Object(
  {
    AppKey: Type.String({ description: 'The key of the app.' }),
    AppName: Type.String({ description: 'Its name.' }),
    ConsentTime: optional(Type.String({ format: 'date-time' }), 'When the user allowed it. Absent: not allowed.'),
    SessionCount: Type.Integer({ minimum: 0, description: 'How many sessions of the user with it are in progress.' }),
  },
  { title: 'UserApp' },
)

export const UserDetails = Type.Object(
  {
    ...UserAccess.properties,
    AccountCount: Type.Integer({ minimum: 0, description: 'How many accounts the client of the user has.' }),
    AccountIds: Type.Array(Type.String(), {
      maxItems: maxUserAccounts,
      description: `The first ${maxUserAccounts} of them.`,
    }),
    Apps: Type.Array(UserApp, {
      maxItems: maxUserApps,
      description: `Apps that the user has allowed or has sessions with, at most ${maxUserApps}, the ones with the most sessions first.`,
    }),
    HasMoreApps: Type.Boolean({ description: 'Whether there are more apps.' }),
  },
  {
    title: 'UserDetails',
    examples: [
      {
        ...userExample,
        AccountCount: 3,
        AccountIds: ['9226397', '9226398', '9226400'],
        Apps: [
          {
            AppKey: '0123456789abcdef0123456789abcdef',
            AppName: 'Demo',
            ConsentTime: '2026-11-16T12:00:00.000000Z',
            SessionCount: 2,
          },
        ],
        HasMoreApps: false,
      },
    ],
  },
)
export type UserDetails = Static<typeof UserDetails>

export const ClientAccessView = Type.Object(
  {
    Access,
    AccountCount: Type.Integer({ minimum: 0, description: 'How many accounts the client has.' }),
    AccountIds: Type.Array(Type.String(), {
      maxItems: maxAccountIds,
      description: `The first ${maxAccountIds} of them.`,
    }),
    ClientId: Type.String({ description: 'Id of the client.' }),
    ClientKey: Type.String({ description: 'Its key.' }),
    Name: Type.String({ description: 'Its name.' }),
    OwnerClientId: optional(Type.String(), 'The client that owns it.'),
    RightCount: Type.Integer({ minimum: 0, description: 'How many access rights the client and its users have.' }),
    UserCount: Type.Integer({ minimum: 0, description: 'How many users the client has.' }),
  },
  {
    title: 'ClientAccess',
    examples: [
      {
        Access: accessExample,
        AccountCount: 2,
        AccountIds: ['9226397', '9226398'],
        ClientId: '10001',
        ClientKey: 'Xb3LkW9pQ1mT7vR2sY5uNA==',
        Name: 'Ada Holm',
        RightCount: 2,
        UserCount: 1,
      },
    ],
  },
)

export const UserAccessFeed = FeedOf(UserAccess)
export const ClientAccessFeed = FeedOf(ClientAccessView)
export type AccessView = Static<typeof AccessGroupView>
export type UserAccessRow = Static<typeof UserAccess>
export type ClientAccessRow = Static<typeof ClientAccessView>
