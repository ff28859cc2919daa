import { Type } from 'typebox'
import { notFound } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import type { AccountGroupRow } from '../store/listings.ts'
import { accountGroupFields, withDefaults } from './fields.ts'
import { ClientKeyQuery, type IdentityDependencies, ofClient, page, sendPage } from './lists.ts'
import { EntityKey } from './schema.ts'
import { AccountGroupView } from './views.ts'

const path = '/port/v1/accountgroups'

export const getAccountGroups = operation({
  method: 'GET',
  path: `${path}/me`,
  operationId: 'getAccountGroups',
  summary: 'List the account groups of the client of the token',
  description: 'Returns the account groups by name.',
  query: Type.Object(page),
  responses: { 200: FeedOf(AccountGroupView) },
})

export const listAccountGroups = operation({
  method: 'GET',
  path,
  operationId: 'listAccountGroups',
  summary: 'List account groups',
  description: 'Returns the account groups of a client by name.',
  query: Type.Object(ofClient),
  responses: { 200: FeedOf(AccountGroupView) },
  errors: ['NoResultFound'],
})

export const getAccountGroupByKey = operation({
  method: 'GET',
  path: `${path}/:AccountGroupKey`,
  operationId: 'getAccountGroupByKey',
  summary: 'Get an account group',
  description: 'Returns an account group of the client of the token or of a client below it.',
  params: Type.Object({
    AccountGroupKey: describe(EntityKey, 'The key of the account group.', { examples: ['ZIfq9KBUY7wNz4V0g9YWtg=='] }),
  }),
  query: Type.Object({
    ClientKey: describe(ClientKeyQuery, 'The client of the group; by default any that is visible.'),
  }),
  responses: { 200: AccountGroupView },
  errors: ['NoResultFound'],
})

export function accountGroupRoutes(api: Server, deps: IdentityDependencies): void {
  addOperation(api, getAccountGroups, (request) => handleList(deps, request, getAccountGroups.path))
  addOperation(api, listAccountGroups, (request) => handleList(deps, request, listAccountGroups.path))
  addOperation(api, getAccountGroupByKey, async (request) => {
    const caller = callerOf(request)
    const { ClientKey } = request.query
    if (ClientKey !== undefined) await deps.access.visible(caller, { clientKey: ClientKey }, 'ClientKey')
    const found = await deps.identities.accountGroups.find(caller.ClientKey, request.params.AccountGroupKey)
    const group = await deps.access.visible(caller, found, 'AccountGroupKey')
    if (ClientKey !== undefined && group.clientKey !== ClientKey) throw notFound('AccountGroupKey')
    return groupView(group)
  })
}

async function handleList(
  { identities, access, baseUrl }: IdentityDependencies,
  request: RequestOf<typeof getAccountGroups> | RequestOf<typeof listAccountGroups>,
  address: string,
) {
  const caller = callerOf(request)
  const { ClientKey: clientKey = caller.ClientKey } = request.query as RequestOf<typeof listAccountGroups>['query']
  await access.visible(caller, { clientKey }, 'ClientKey')
  const listed = await identities.accountGroups.list({ clientKey }, request.query)
  return sendPage(request, `${baseUrl}${address}`, listed, groupView)
}

const groupView = ({ accountGroupKey, name, clientKey, fields }: AccountGroupRow) => ({
  AccountGroupKey: accountGroupKey,
  AccountGroupName: name,
  ClientKey: clientKey,
  ...withDefaults(accountGroupFields, fields),
})
