import { Type } from 'typebox'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import { rightsOf } from '../rules/legal-asset-types.ts'
import { mayTrade } from '../rules/may-trade.ts'
import { readClient, readClientAccess, readUser } from '../store/identities.ts'

const may = (what: string) => Type.Boolean({ description: `Whether the user may ${what} with this token.` })
const never = (what: string) => Type.Boolean({ description: `Always false: refdesk has no ${what}.` })

/** Unsupported features are always denied. */
const unsupported = {
  CanManageCashTransfers: false,
  CanTakePriceSession: false,
  CanTakeTradeSession: false,
  CanViewAnyClient: false,
}

/** GET /root/v1/user. */
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
    ClientId: Type.String({ description: 'The ClientId of `clients/me`.' }),
    Roles: Type.Array(Type.String(), { description: 'Always empty: refdesk has no roles.' }),
    UserId: Type.String({ description: 'The UserId of `users/me`.' }),
  },
  {
    title: 'SessionUser',
    examples: [{ AccessRights: { ...unsupported, CanTrade: true }, ClientId: '10001', Roles: [], UserId: 'ada' }],
  },
)

export const getSessionUser = operation({
  method: 'GET',
  path: '/root/v1/user',
  operationId: 'getSessionUser',
  summary: 'Get the user of the session and their rights',
  description:
    'Returns the user and client of the token and whether it allows trading: the user needs a Trade right, and the app must be enabled for trading.',
  tags: ['root'],
  responses: { 200: SessionUser },
})

export function sessionUserRoutes(api: Server, db: Db): void {
  addOperation(api, getSessionUser, (request) => handleGetSessionUser(db, request))
}

async function handleGetSessionUser(db: Db, request: RequestOf<typeof getSessionUser>) {
  const { UserKey, ClientKey, mayWrite } = callerOf(request)
  const [user, client, access] = await Promise.all([
    readUser(db, UserKey),
    readClient(db, ClientKey),
    readClientAccess(db, ClientKey),
  ])
  if (!user || !client || !access) throw notFound('The user')
  const CanTrade = mayWrite && mayTrade(rightsOf(access.rights, UserKey), access.accounts)
  return { AccessRights: { ...unsupported, CanTrade }, ClientId: client.clientId, Roles: [], UserId: user.name }
}
