import { Type } from 'typebox'
import type { AssetType } from '../../core/asset-type.ts'
import { whenKnown } from '../../core/async/maybe-promise.ts'
import { wireTime } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import type { UserRow } from '../store/listings.ts'
import { userFields, withDefaults } from './fields.ts'
import { type IdentityDependencies, includeBelow, ofClient, sendPage } from './lists.ts'
import { EntityKey } from './schema.ts'
import { UserView } from './views.ts'

const path = '/port/v1/users'

export const getUser = operation({
  method: 'GET',
  path: `${path}/me`,
  operationId: 'getUser',
  summary: 'Get the user of the token',
  description: 'Returns the signed-in user and the keys that other operations take.',
  responses: { 200: UserView },
  errors: ['NoResultFound'],
})

export const listUsers = operation({
  method: 'GET',
  path,
  operationId: 'listUsers',
  summary: 'List users',
  description: 'Returns the users of a client by name.',
  query: Type.Object({ ...ofClient, IncludeSubUsers: includeBelow('users') }),
  responses: { 200: FeedOf(UserView) },
  errors: ['NoResultFound'],
})

export const getUserByKey = operation({
  method: 'GET',
  path: `${path}/:UserKey`,
  operationId: 'getUserByKey',
  summary: 'Get a user',
  description: 'Returns a user of the client of the token or of a client below it.',
  params: Type.Object({
    UserKey: describe(EntityKey, 'The key of the user.', { examples: ['YOjHpvTCTlWWcx|2vafgFA=='] }),
  }),
  responses: { 200: UserView },
  errors: ['NoResultFound'],
})

export function userRoutes(api: Server, deps: IdentityDependencies): void {
  const view = (user: UserRow) => whenKnown(assetTypesOf(deps, user), (assetTypes) => userView(user, assetTypes))

  addOperation(api, getUser, (request) => {
    const { ClientKey, UserKey } = callerOf(request)
    return whenKnown(deps.identities.users.find(ClientKey, UserKey), (user) => {
      if (!user) throw notFound('The user')
      return view(user)
    })
  })
  addOperation(api, listUsers, (request) => handleListUsers(deps, request))
  addOperation(api, getUserByKey, async (request) => {
    const caller = callerOf(request)
    const found = await deps.identities.users.find(caller.ClientKey, request.params.UserKey)
    return view(await deps.access.visible(caller, found, 'UserKey'))
  })
}

const assetTypesOf = ({ access }: IdentityDependencies, { clientKey, userKey }: UserRow) =>
  access.legalAssetTypes(clientKey, userKey)

async function handleListUsers(deps: IdentityDependencies, request: RequestOf<typeof listUsers>) {
  const { identities, access, baseUrl } = deps
  const caller = callerOf(request)
  const { ClientKey: clientKey = caller.ClientKey, IncludeSubUsers: includesSubClients } = request.query
  await access.visible(caller, { clientKey }, 'ClientKey')
  const listed = await identities.users.list({ clientKey, includesSubClients }, request.query)
  access.prepare(listed.rows)
  return sendPage(request, `${baseUrl}${path}`, listed, (row) =>
    whenKnown(assetTypesOf(deps, row), (assetTypes) => userView(row, assetTypes)),
  )
}

function userView(user: UserRow, assetTypes: readonly AssetType[]) {
  return {
    Active: !user.disabled,
    ClientKey: user.clientKey,
    ...withDefaults(userFields, user.fields),
    LastLoginStatus: 'Successful' as const,
    ...(user.lastLogin && { LastLoginTime: wireTime(user.lastLogin) }),
    LegalAssetTypes: [...assetTypes],
    Name: user.name,
    UserId: user.name,
    UserKey: user.userKey,
  }
}
