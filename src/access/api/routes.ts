import { Type } from 'typebox'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed, nextPage, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import { legalAssetTypes, rightsOf } from '../rules/legal-asset-types.ts'
import { mayTrade } from '../rules/may-trade.ts'
import {
  type AccountFacts,
  countAccounts,
  listAccounts,
  listRights,
  readClient,
  readClientAccess,
  readFirstAccount,
  readUser,
} from '../store/identities.ts'
import { AccountView, ClientView, SessionUser, UserView, unsupported } from './schema.ts'

/** All pages are in British English. */
const language = { Culture: 'en-GB', Language: 'en', TimeZoneId: 0 }
const accountsPage = { defaultTop: 100, maxTop: 1_000 }

export const getUser = operation({
  method: 'GET',
  path: '/port/v1/users/me',
  operationId: 'getUser',
  summary: 'Get the user of the token',
  description: 'Returns the signed-in user and the keys that other operations take.',
  responses: { 200: UserView },
  errors: ['NoResultFound'],
})

export const getClient = operation({
  method: 'GET',
  path: '/port/v1/clients/me',
  operationId: 'getClient',
  summary: 'Get the client of the token',
  description: 'Returns the client of the signed-in user and its default account.',
  responses: { 200: ClientView },
  errors: ['NoResultFound'],
})

export const getAccounts = operation({
  method: 'GET',
  path: '/port/v1/accounts/me',
  operationId: 'getAccounts',
  summary: 'List the accounts of the client of the token',
  description:
    'Returns the accounts by AccountId, each with the asset types that the user may see on it. Accounts of sub-clients are not included.',
  query: Type.Object(pageQuery(accountsPage)),
  responses: { 200: FeedOf(AccountView) },
})

export const getSessionUser = operation({
  method: 'GET',
  path: '/root/v1/user',
  operationId: 'getSessionUser',
  summary: 'Get the user of the session and their rights',
  description:
    'Returns the user and client of the token and whether it allows trading: the user needs a Trade right, and the app must be enabled for trading.',
  responses: { 200: SessionUser },
})

/** The first calls of client libraries: who am I? */
export function identityRoutes(api: Server, db: Db, baseUrl: string): void {
  addOperation(api, getUser, (request) => handleGetUser(db, request))
  addOperation(api, getClient, (request) => handleGetClient(db, request))
  addOperation(api, getAccounts, (request) => handleGetAccounts(db, baseUrl, request))
  addOperation(api, getSessionUser, (request) => handleGetSessionUser(db, request))
}

async function handleGetUser(db: Db, request: RequestOf<typeof getUser>) {
  const { UserKey, ClientKey } = callerOf(request)
  const [user, rights] = await Promise.all([readUser(db, UserKey), listRights(db, ClientKey)])
  if (!user) throw notFound('The user')
  const LegalAssetTypes = legalAssetTypes(rightsOf(rights, UserKey))
  const names = { Name: user.name, UserId: user.name }
  return { Active: !user.disabled, ClientKey, ...language, LegalAssetTypes, ...names, UserKey }
}

async function handleGetClient(db: Db, request: RequestOf<typeof getClient>) {
  const { UserKey, ClientKey } = callerOf(request)
  const [client, first, rights] = await Promise.all([
    readClient(db, ClientKey),
    readFirstAccount(db, ClientKey),
    listRights(db, ClientKey),
  ])
  if (!client) throw notFound('The client')
  return {
    ClientId: client.clientId,
    ClientKey,
    ...(first && {
      DefaultAccountId: first.accountId,
      DefaultAccountKey: first.accountKey,
      DefaultCurrency: first.currency,
    }),
    LegalAssetTypes: legalAssetTypes(rightsOf(rights, UserKey)),
    Name: client.name,
  }
}

async function handleGetAccounts(db: Db, baseUrl: string, request: RequestOf<typeof getAccounts>) {
  const { UserKey, ClientKey } = callerOf(request)
  const [client, { accounts, more }, count, rights] = await Promise.all([
    readClient(db, ClientKey),
    listAccounts(db, ClientKey, request.query),
    request.query.$inlinecount === 'AllPages' ? countAccounts(db, ClientKey) : undefined,
    listRights(db, ClientKey),
  ])
  const own = rightsOf(rights, UserKey)
  const accountView = (account: AccountFacts) => ({
    ...(account.accountGroupKey === null ? {} : { AccountGroupKey: account.accountGroupKey }),
    AccountId: account.accountId,
    AccountKey: account.accountKey,
    AccountType: 'Normal',
    Active: true,
    ClientId: client?.clientId ?? '',
    ClientKey,
    Currency: account.currency,
    DisplayName: account.accountId,
    LegalAssetTypes: legalAssetTypes(own, account.accountKey),
  })
  const next = nextPage(request, `${baseUrl}${getAccounts.path}`, more)
  return feed({ data: accounts.map(accountView), maxRows: accountsPage.maxTop, count, next })
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
