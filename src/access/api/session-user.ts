import { Type } from 'typebox'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import { rightsOf } from '../rules/legal-asset-types.ts'
import { mayTrade } from '../rules/may-trade.ts'
import { readClient, readClientAccess, readUser } from '../store/identities.ts'

const may = (what: string) => Type.Boolean({ description: `Whether the user may ${what} with this token.` })
const never = (what: string) => Type.Boolean({ description: `Always false: refdesk has no ${what}.` })

/** What refdesk has nothing of, nobody may do. */
const notHere = {
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
        CanManageCashTransfers: never('transfers of cash'),
        CanTakePriceSession: never('sessions for prices'),
        CanTakeTradeSession: never('sessions for trading'),
        CanTrade: may('trade anything'),
        CanViewAnyClient: never('users who see every client'),
      },
      { title: 'UserAccessRights', description: 'What the user may do.' },
    ),
    ClientId: Type.String({ description: 'The id of the user’s client, as `clients/me` has it.' }),
    Roles: Type.Array(Type.String(), { description: 'Always empty: refdesk has no roles.' }),
    UserId: Type.String({ description: 'The id of the user, as `users/me` has it.' }),
  },
  {
    title: 'SessionUser',
    examples: [{ AccessRights: { ...notHere, CanTrade: true }, ClientId: '10001', Roles: [], UserId: 'ada' }],
  },
)

export function sessionUserRoutes(api: Server, db: Db): void {
  api.get(
    '/root/v1/user',
    {
      schema: {
        operationId: 'getSessionUser',
        summary: 'Who signed in, and what they may do',
        description:
          'The user and client of the token, and whether it lets them trade: their rights must, and the app must be ' +
          'enabled for it.',
        tags: ['root'],
        response: { 200: SessionUser },
      },
    },
    async (request) => {
      const { UserKey, ClientKey, mayWrite } = callerOf(request)
      const [user, client, access] = await Promise.all([
        readUser(db, UserKey),
        readClient(db, ClientKey),
        readClientAccess(db, ClientKey),
      ])
      if (!user || !client || !access) throw notFound('The user')
      const CanTrade = mayWrite && mayTrade(rightsOf(access.rights, UserKey), access.accounts)
      return {
        AccessRights: { ...notHere, CanTrade },
        ClientId: client.clientId,
        Roles: [],
        UserId: user.name,
      }
    },
  )
}
