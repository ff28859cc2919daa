import { Type } from 'typebox'
import { wireTime } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { callerOf } from '../caller.ts'
import type { AccessDirectory } from '../directory.ts'
import { legalAssetTypes } from '../rules/legal-asset-types.ts'
import { type UserRow, users } from '../store/listings.ts'
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
  addOperation(api, getUser, async (request) => {
    const user = await users.find(deps.db, callerOf(request).UserKey)
    if (!user) throw notFound('The user')
    return userView(deps.access, user)
  })
  addOperation(api, listUsers, (request) => handleListUsers(deps, request))
  addOperation(api, getUserByKey, async (request) => {
    const found = await users.find(deps.db, request.params.UserKey)
    return userView(deps.access, await deps.access.visible(callerOf(request), found, 'UserKey'))
  })
}

async function handleListUsers({ db, access, baseUrl }: IdentityDependencies, request: RequestOf<typeof listUsers>) {
  const caller = callerOf(request)
  const { ClientKey: clientKey = caller.ClientKey, IncludeSubUsers: includesSubClients } = request.query
  await access.visible(caller, { clientKey }, 'ClientKey')
  const listed = await users.list(db, { clientKey, includesSubClients }, request.query)
  access.prepare(listed.rows)
  return sendPage(request, `${baseUrl}${path}`, listed, (row) => userView(access, row))
}

async function userView(access: AccessDirectory, user: UserRow) {
  return {
    Active: !user.disabled,
    ClientKey: user.clientKey,
    ...withDefaults(userFields, user.fields),
    LastLoginStatus: 'Successful' as const,
    ...(user.lastLogin && { LastLoginTime: wireTime(user.lastLogin) }),
    LegalAssetTypes: legalAssetTypes(await access.rightsIn(user.clientKey, user.userKey)),
    Name: user.name,
    UserId: user.name,
    UserKey: user.userKey,
  }
}
