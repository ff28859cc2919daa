import { notFound } from '../../core/problem.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import { rightsOf } from '../rules/legal-asset-types.ts'
import { mayTrade } from '../rules/may-trade.ts'
import { accountGroupRoutes } from './account-groups.ts'
import { accountRoutes } from './accounts.ts'
import { clientRoutes } from './clients.ts'
import { handleListFeatures, listFeatures } from './features.ts'
import type { IdentityDependencies } from './lists.ts'
import { type OperatorAccess, operatorAccessRoutes } from './operator.ts'
import { userRoutes } from './users.ts'
import { fixedRights, operationsOf, SessionUser, withoutEntries } from './views.ts'

export const getSessionUser = operation({
  method: 'GET',
  path: '/root/v1/user',
  operationId: 'getSessionUser',
  summary: 'Get the user of the session and their rights',
  description:
    'Returns the user and client of the token and whether it allows trading: the user needs a Trade right, and the app must be enabled for trading.',
  responses: { 200: SessionUser },
})

type SessionUserDependencies = IdentityDependencies & Readonly<{ acceptsElections: boolean }>

/** The first calls of client libraries: who am I, and what may I see? */
export function identityRoutes(api: Server, deps: SessionUserDependencies & OperatorAccess): void {
  userRoutes(api, deps)
  clientRoutes(api, deps)
  accountRoutes(api, deps)
  accountGroupRoutes(api, deps)
  operatorAccessRoutes(api, deps)
  addOperation(api, listFeatures, handleListFeatures)
  addOperation(api, getSessionUser, (request) => handleGetSessionUser(deps, request))
}

async function handleGetSessionUser(
  { identities, access: directory, acceptsElections }: SessionUserDependencies,
  request: RequestOf<typeof getSessionUser>,
) {
  const { UserKey, ClientKey, mayWrite } = callerOf(request)
  const [user, client, access] = await Promise.all([
    identities.users.find(ClientKey, UserKey),
    identities.client(ClientKey),
    directory.accessOf(ClientKey),
  ])
  if (!user || !client || !access) throw notFound('The user')
  const CanTrade = mayWrite && mayTrade(rightsOf(access.rights, UserKey), access.accounts)
  const AccountAccessMode = mayWrite ? ('Full' as const) : ('ReadOnly' as const)
  const names = { ClientId: client.clientId, UserId: user.name }
  const Operations = operationsOf({ canElect: mayWrite && acceptsElections, canTrade: CanTrade })
  return { AccessRights: { ...fixedRights, CanTrade }, AccountAccessMode, ...withoutEntries, Operations, ...names }
}
