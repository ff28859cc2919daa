import type { FastifyReply } from 'fastify'
import { ownTurn } from '../../core/async/own-turn.ts'
import { wireTime } from '../../core/clock.ts'
import { sentQuery } from '../../http/input/query.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AccessDirectory } from '../directory.ts'
import { type OperatorDependencies, operatorOf } from '../operator.ts'
import { type AccessGroup, accessGroups } from '../rules/access-groups.ts'
import { rightsOf } from '../rules/legal-asset-types.ts'
import {
  type ListedClient,
  type ListedUser,
  readClients,
  readUsers,
  type Section,
  type Selection,
} from '../store/all-identities.ts'
import type { ClientAccess } from '../store/identities.ts'
import * as schema from './operator-schema.ts'

const who = 'Only for operators; in live only with a token of the console.'

export const listAllUsers = operation({
  method: 'GET',
  path: '/x/v1/users',
  operationId: 'listAllUsers',
  summary: 'List the users of all clients with their rights',
  description: `Returns users by name, each with what they may see and trade. ${who}`,
  query: schema.OperatorQuery,
  responses: { 200: schema.UserAccessFeed },
  errors: ['RequestNotAllowed'],
})

export const listAllClients = operation({
  method: 'GET',
  path: '/x/v1/clients',
  operationId: 'listAllClients',
  summary: 'List all clients with their rights',
  description: `Returns clients by ClientId, each with what its users may see and trade, unless they have rights of their own. ${who}`,
  query: schema.OperatorQuery,
  responses: { 200: schema.ClientAccessFeed },
  errors: ['RequestNotAllowed'],
})

type Dependencies = OperatorDependencies & Readonly<{ access: AccessDirectory; baseUrl: string }>

export function operatorAccessRoutes(api: Server, deps: Dependencies): void {
  const users = { path: listAllUsers.path, read: readUsers, view: userView }
  const clients = { path: listAllClients.path, read: readClients, view: clientView }
  addOperation(api, listAllUsers, (request, reply) => handleList(deps, request, reply, users))
  addOperation(api, listAllClients, (request, reply) => handleList(deps, request, reply, clients))
}

type Listing<Row, View> = Readonly<{
  path: string
  read(db: Dependencies['db'], selection: Selection): Promise<Section<Row>>
  view(row: Row, access: ClientAccess): View
}>
/** A client may have thousands of rights, which are read for each of its users. */
const rowsPerTurn = 10
const noAccess: ClientAccess = { ownerClientKey: null, accounts: [], rights: [] }

async function handleList<Row extends { clientKey: string }, View>(
  deps: Dependencies,
  request: RequestOf<typeof listAllUsers>,
  reply: FastifyReply,
  { path, read, view }: Listing<Row, View>,
) {
  await operatorOf(deps, request)
  const { $top, $skiptoken, Keywords } = request.query
  const { rows, next } = await read(deps.db, { limit: $top, after: $skiptoken, text: Keywords })
  deps.access.prepare(rows)
  const data: View[] = []
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) await ownTurn()
    data.push(view(row, (await deps.access.accessOf(row.clientKey)) ?? noAccess))
  }
  reply.header('cache-control', 'no-store')
  const address = `${deps.baseUrl}${path}`
  const following = next === undefined ? undefined : nextLink(address, sentQuery(request), { $skiptoken: next })
  return feed({ data, next: following, maxRows: schema.maxRows })
}

const userView = (user: ListedUser, { rights, accounts }: ClientAccess): schema.UserAccessRow => ({
  Access: accessGroups(rightsOf(rights, user.userKey), accounts).map(groupView),
  ClientId: user.clientId,
  ClientKey: user.clientKey,
  ClientName: user.clientName,
  Disabled: user.disabled,
  HasOwnRights: rights.some(({ userKey }) => userKey === user.userKey),
  ...(user.lastLogin && { LastLoginTime: wireTime(user.lastLogin) }),
  Name: user.name,
  Operator: user.isOperator,
  UserKey: user.userKey,
})

const clientView = (client: ListedClient, { rights, accounts }: ClientAccess): schema.ClientAccessRow => ({
  Access: accessGroups(rightsOf(rights, null), accounts).map(groupView),
  AccountCount: client.accounts,
  AccountIds: accounts
    .map(({ accountId }) => accountId)
    .sort()
    .slice(0, schema.maxAccountIds),
  ClientId: client.clientId,
  ClientKey: client.clientKey,
  Name: client.name,
  ...(client.ownerId !== null && { OwnerClientId: client.ownerId }),
  RightCount: client.rights,
  UserCount: client.users,
})

const groupView = ({ level, assetTypes, exchanges, isOnAllAccounts }: AccessGroup): schema.AccessView => ({
  Level: level,
  AssetTypes: [...assetTypes],
  ...(exchanges !== 'all' && {
    ExchangeIds: exchanges.slice(0, schema.maxExchanges),
    ExchangeCount: exchanges.length,
  }),
  IsOnAllAccounts: isOnAllAccounts,
})
