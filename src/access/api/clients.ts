import { Type } from 'typebox'
import type { AssetType } from '../../core/asset-type.ts'
import { whenKnown } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import { currencyDecimals } from '../../core/currency.ts'
import { notFound } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import type { ClientRow } from '../store/listings.ts'
import { clientFields, withDefaults } from './fields.ts'
import { type IdentityDependencies, OwnerKeyQuery, page, sendPage } from './lists.ts'
import { EntityKey } from './schema.ts'
import { ClientFeed, ClientView } from './views.ts'

const path = '/port/v1/clients'

export const getClient = operation({
  method: 'GET',
  path: `${path}/me`,
  operationId: 'getClient',
  summary: 'Get the client of the token',
  description: 'Returns the client of the signed-in user and its default account.',
  responses: { 200: ClientView },
  errors: ['NoResultFound'],
})

export const listClients = operation({
  method: 'GET',
  path,
  operationId: 'listClients',
  summary: 'List sub-clients',
  description: 'Returns the clients that a client owns directly, by ClientId.',
  query: Type.Object({ ...page, OwnerKey: OwnerKeyQuery }),
  responses: { 200: ClientFeed },
  errors: ['NoResultFound'],
})

export const getClientByKey = operation({
  method: 'GET',
  path: `${path}/:ClientKey`,
  operationId: 'getClientByKey',
  summary: 'Get a client',
  description: 'Returns the client of the token, or one below it, with its default account.',
  params: Type.Object({
    ClientKey: describe(EntityKey, 'The key of the client.', { examples: ['JGMWQM9k|3uj5EIDjH1z9Q=='] }),
  }),
  responses: { 200: ClientView },
  errors: ['NoResultFound'],
})

export function clientRoutes(api: Server, deps: IdentityDependencies): void {
  const view = (caller: Caller, client: ClientRow) =>
    whenKnown(deps.access.callersAssetTypes(caller, client.clientKey), (assetTypes) => clientView(client, assetTypes))

  addOperation(api, getClient, (request) => {
    const caller = callerOf(request)
    return whenKnown(deps.identities.client(caller.ClientKey), (client) => {
      if (!client) throw notFound('The client')
      return view(caller, client)
    })
  })
  addOperation(api, listClients, (request) => handleListClients(deps, request))
  addOperation(api, getClientByKey, async (request) => {
    const caller = callerOf(request)
    const found = await deps.identities.client(request.params.ClientKey)
    return view(caller, await deps.access.visible(caller, found, 'ClientKey'))
  })
}

async function handleListClients(
  { identities, access, baseUrl }: IdentityDependencies,
  request: RequestOf<typeof listClients>,
) {
  const caller = callerOf(request)
  const { OwnerKey: clientKey = caller.ClientKey } = request.query
  await access.visible(caller, { clientKey }, 'OwnerKey')
  const listed = await identities.subClients(clientKey, request.query)
  access.prepare(listed.rows)
  return sendPage(request, `${baseUrl}${path}`, listed, (row) =>
    whenKnown(access.callersAssetTypes(caller, row.clientKey), (assetTypes) => clientView(row, assetTypes)),
  )
}

function clientView(client: ClientRow, assetTypes: readonly AssetType[]) {
  const { accountId, accountKey, currency } = client
  return {
    ClientId: client.clientId,
    ClientKey: client.clientKey,
    ...withDefaults(clientFields, client.fields),
    ...(accountId !== null &&
      accountKey !== null &&
      currency !== null && {
        CurrencyDecimals: currencyDecimals(currency),
        DefaultAccountId: accountId,
        DefaultAccountKey: accountKey,
        DefaultCurrency: currency,
      }),
    LegalAssetTypes: [...assetTypes],
    Name: client.name,
  }
}
