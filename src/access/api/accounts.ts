import { Type } from 'typebox'
import type { AssetType } from '../../core/asset-type.ts'
import { whenKnown } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import { wireTime } from '../../core/clock.ts'
import { currencyDecimals } from '../../core/currency.ts'
import { describe } from '../../core/schema.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import type { AccountRow } from '../store/listings.ts'
import { accountFields, withDefaults } from './fields.ts'
import { type IdentityDependencies, includeBelow, ofClient, page, sendPage } from './lists.ts'
import { EntityKey } from './schema.ts'
import { AccountView } from './views.ts'

const path = '/port/v1/accounts'

export const getAccounts = operation({
  method: 'GET',
  path: `${path}/me`,
  operationId: 'getAccounts',
  summary: 'List the accounts of the client of the token',
  description:
    'Returns the accounts by AccountId, each with the asset types that the user may see on it. Accounts of sub-clients are not included.',
  query: Type.Object(page),
  responses: { 200: FeedOf(AccountView) },
})

export const listAccounts = operation({
  method: 'GET',
  path,
  operationId: 'listAccounts',
  summary: 'List accounts',
  description: 'Returns the accounts of a client by AccountId, each with the asset types that the user may see on it.',
  query: Type.Object({ ...ofClient, IncludeSubAccounts: includeBelow('accounts') }),
  responses: { 200: FeedOf(AccountView) },
  errors: ['NoResultFound'],
})

export const getAccountByKey = operation({
  method: 'GET',
  path: `${path}/:AccountKey`,
  operationId: 'getAccountByKey',
  summary: 'Get an account',
  description: 'Returns an account of the client of the token or of a client below it.',
  params: Type.Object({
    AccountKey: describe(EntityKey, 'The key of the account.', { examples: ['MBZsM65o3H4jc4FdAqA9hw=='] }),
  }),
  responses: { 200: AccountView },
  errors: ['NoResultFound'],
})

export function accountRoutes(api: Server, deps: IdentityDependencies): void {
  addOperation(api, getAccounts, (request) => handleListAccounts(deps, request, getAccounts.path))
  addOperation(api, listAccounts, (request) => handleListAccounts(deps, request, listAccounts.path))
  addOperation(api, getAccountByKey, async (request) => {
    const caller = callerOf(request)
    const found = await deps.identities.accounts.find(caller.ClientKey, request.params.AccountKey)
    const account = await deps.access.visible(caller, found, 'AccountKey')
    return accountView(account, await assetTypesOn(deps, caller, account))
  })
}

type ListRequest = RequestOf<typeof getAccounts> | RequestOf<typeof listAccounts>

const assetTypesOn = ({ access }: IdentityDependencies, caller: Caller, { clientKey, accountKey }: AccountRow) =>
  access.callersAssetTypes(caller, clientKey, accountKey)

function handleListAccounts(deps: IdentityDependencies, request: ListRequest, address: string) {
  const { identities, access, baseUrl } = deps
  const caller = callerOf(request)
  const { ClientKey: clientKey = caller.ClientKey, IncludeSubAccounts: includesSubClients } =
    request.query as RequestOf<typeof listAccounts>['query']
  const listing = whenKnown(access.visible(caller, { clientKey }, 'ClientKey'), () =>
    identities.accounts.list({ clientKey, includesSubClients }, request.query),
  )
  return whenKnown(listing, (listed) => {
    access.prepare(listed.rows)
    return sendPage(request, `${baseUrl}${address}`, listed, (row) =>
      whenKnown(assetTypesOn(deps, caller, row), (assetTypes) => accountView(row, assetTypes)),
    )
  })
}

function accountView(account: AccountRow, assetTypes: readonly AssetType[]) {
  const { accountGroupKey, accountGroupName } = account
  const { CreationDate } = withDefaults(accountFields, account.fields)
  return {
    ...(accountGroupKey !== null && { AccountGroupKey: accountGroupKey }),
    ...(accountGroupName !== null && { AccountGroupName: accountGroupName }),
    AccountId: account.accountId,
    AccountKey: account.accountKey,
    ClientId: account.clientId,
    ClientKey: account.clientKey,
    Currency: account.currency,
    CurrencyDecimals: currencyDecimals(account.currency),
    DisplayName: account.accountId,
    ...withDefaults(accountFields, account.fields),
    ...(CreationDate !== undefined && { CreationDate: wireTime(Temporal.Instant.from(CreationDate)) }),
    LegalAssetTypes: [...assetTypes],
  }
}
