import type { FastifyReply } from 'fastify'
import { ownTurn } from '../../core/async/own-turn.ts'
import { type Clock, wireTime } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { AccessDirectory } from '../directory.ts'
import { type OperatorDependencies, operatorOf } from '../operator.ts'
import { type AccessGroup, accessGroups } from '../rules/access-groups.ts'
import { rightsOf } from '../rules/legal-asset-types.ts'
import {
  findListedUser,
  type ListedClient,
  type ListedUser,
  readClients,
  readUsedApps,
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

export const getAnyUser = operation({
  method: 'GET',
  path: '/x/v1/users/:UserKey',
  operationId: 'getAnyUser',
  summary: 'Get a user of any client with their rights',
  description: `Returns a user with what they may see and trade, the accounts of the client, and the apps that they use. ${who}`,
  params: schema.UserParams,
  responses: { 200: schema.UserDetails },
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

export type OperatorAccess = OperatorDependencies & Readonly<{ access: AccessDirectory; baseUrl: string; clock: Clock }>

export function operatorAccessRoutes(api: Server, deps: OperatorAccess): void {
  const users = { path: listAllUsers.path, read: readUsers, view: userView }
  const clients = { path: listAllClients.path, read: readClients, view: clientView }
  addOperation(api, listAllUsers, (request, reply) => handleList(deps, request, reply, users))
  addOperation(api, listAllClients, (request, reply) => handleList(deps, request, reply, clients))
  addOperation(api, getAnyUser, (request, reply) => handleGetUser(deps, request, reply))
}

type Listing<Row, View> = Readonly<{
  path: string
  read(db: OperatorAccess['db'], selection: Selection): Promise<Section<Row>>
  view(row: Row, access: ClientAccess): View
}>
/** A client may have thousands of rights, which are read for each of its users. */
const rowsPerTurn = 10
const noAccess: ClientAccess = { ownerClientKey: null, accounts: [], rights: [] }

async function handleList<Row extends { clientKey: string }, View>(
  deps: OperatorAccess,
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
  const following = next === undefined ? undefined : nextLink(address, request, { $skiptoken: next })
  return feed({ data, next: following, maxRows: schema.maxRows })
}

async function handleGetUser(deps: OperatorAccess, request: RequestOf<typeof getAnyUser>, reply: FastifyReply) {
  await operatorOf(deps, request)
  const { UserKey } = request.params
  const user = await findListedUser(deps.db, UserKey)
  if (!user) throw notFound(`User ${UserKey}`)
  const access = (await deps.access.accessOf(user.clientKey)) ?? noAccess
  const apps = await readUsedApps(deps.db, UserKey, deps.clock.now(), schema.maxUserApps)
  reply.header('cache-control', 'no-store')
  return {
    ...userView(user, access),
    AccountCount: access.accounts.length,
    AccountIds: accountIds(access, schema.maxUserAccounts),
    Apps: apps.slice(0, schema.maxUserApps).map(({ appKey, name, consentAt, sessions }) => ({
      AppKey: appKey,
      AppName: name,
      ...(consentAt && { ConsentTime: wireTime(consentAt) }),
      SessionCount: sessions,
    })),
    HasMoreApps: apps.length > schema.maxUserApps,
  } satisfies schema.UserDetails
}

const accountIds = ({ accounts }: ClientAccess, max: number): string[] =>
  accounts
    .map(({ accountId }) => accountId)
    .sort()
    .slice(0, max)

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

const clientView = (client: ListedClient, access: ClientAccess): schema.ClientAccessRow => ({
  Access: accessGroups(rightsOf(access.rights, null), access.accounts).map(groupView),
  AccountCount: client.accounts,
  AccountIds: accountIds(access, schema.maxAccountIds),
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
