import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { sentQuery } from '../../http/input/query.ts'
import { FeedOf, feed, nextLink, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import { legalAssetTypes, rightsOf } from '../rules/legal-asset-types.ts'
import { countAccounts, listAccounts, listRights, readClient, readFirstAccount, readUser } from '../store/identities.ts'
import { AccountView, ClientView, UserView } from './schema.ts'

/** Every page of contract §1 is British English; the interface asks for the names of these. */
const language = { Culture: 'en-GB', Language: 'en', TimeZoneId: 0 }
const accountsPage = { defaultTop: 100, maxTop: 1_000 }
const AccountsQuery = Type.Object(pageQuery(accountsPage))

/** Who am I: what client libraries of this interface ask first. */
export function identityRoutes(api: Server, db: Db, baseUrl: string): void {
  const tags = ['port']
  api.get(
    '/port/v1/users/me',
    {
      schema: {
        operationId: 'getUser',
        summary: 'The user of the token',
        description: 'What a program asks first: who is signed in, and the keys that other calls take.',
        documented: { errors: ['NoResultFound'] },
        tags,
        response: { 200: UserView },
      },
    },
    async (request) => {
      const { UserKey, ClientKey } = callerOf(request)
      const [user, rights] = await Promise.all([readUser(db, UserKey), listRights(db, ClientKey)])
      if (!user) throw notFound('The user')
      const LegalAssetTypes = legalAssetTypes(rightsOf(rights, UserKey))
      const names = { Name: user.name, UserId: user.name }
      return { Active: !user.disabled, ClientKey, ...language, LegalAssetTypes, ...names, UserKey }
    },
  )
  api.get(
    '/port/v1/clients/me',
    {
      schema: {
        operationId: 'getClient',
        summary: 'The client of the token',
        description: 'The client that the user belongs to, with the account to take where none is chosen.',
        documented: { errors: ['NoResultFound'] },
        tags,
        response: { 200: ClientView },
      },
    },
    async (request) => {
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
    },
  )
  api.get(
    '/port/v1/accounts/me',
    {
      schema: {
        operationId: 'getAccounts',
        summary: 'The accounts of the client of the token',
        description: 'By their ids, each with the asset types that the user may see on it. Not those of clients below.',
        tags,
        querystring: AccountsQuery,
        response: { 200: FeedOf(AccountView) },
      },
    },
    async (request) => accountsFeed(db, baseUrl, request, request.query),
  )
}

async function accountsFeed(db: Db, baseUrl: string, request: FastifyRequest, query: Static<typeof AccountsQuery>) {
  const { UserKey, ClientKey } = callerOf(request)
  const { $top, $skip, $inlinecount } = query
  const [client, { accounts, more }, count, rights] = await Promise.all([
    readClient(db, ClientKey),
    listAccounts(db, ClientKey, query),
    $inlinecount === 'AllPages' ? countAccounts(db, ClientKey) : undefined,
    listRights(db, ClientKey),
  ])
  const own = rightsOf(rights, UserKey)
  const data = accounts.map((account) => ({
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
  }))
  const rest = more && $top > 0
  return feed({
    data,
    maxRows: accountsPage.maxTop,
    count,
    ...(rest && { next: nextLink(`${baseUrl}/port/v1/accounts/me`, sentQuery(request), { $skip: $skip + $top }) }),
  })
}
