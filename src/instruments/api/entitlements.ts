import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { callerOf } from '../../access/caller.ts'
import { AssetType, assetTypes } from '../../core/asset-type.ts'
import { describe } from '../../core/schema.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed, pageOf, pageQuery, wholeListMaxRows } from '../../http/output/feed.ts'
import { type View, visibleTypes } from '../catalogue/search/visible.ts'
import { type HandlerOf, read, viewFor } from './request-view.ts'

const page = pageQuery({ defaultTop: wholeListMaxRows, maxTop: wholeListMaxRows })
const typesOf = (description: string) => Type.Array(AssetType, { description })
const Entitlement = Type.Object(
  {
    Entitlements: Type.Array(
      Type.Object(
        {
          Greeks: typesOf('Options among the visible asset types.'),
          RealTimeFullBook: typesOf('Always empty.'),
          RealTimeTopOfBook: typesOf('The visible asset types.'),
        },
        { title: 'EntitledAssetTypes' },
      ),
      { description: 'One entry.' },
    ),
    ExchangeId: Type.String({ description: 'The exchange.' }),
  },
  {
    title: 'Entitlement',
    examples: [
      {
        Entitlements: [{ Greeks: ['StockOption'], RealTimeFullBook: [], RealTimeTopOfBook: ['Stock', 'StockOption'] }],
        ExchangeId: 'AMS',
      },
    ],
  },
)

export const listEntitlements = operation({
  ...read,
  path: '/port/v1/users/me/entitlements',
  operationId: 'listEntitlements',
  summary: 'List the entitlements of the user',
  description:
    'Returns, for each exchange, the asset types that the caller may see there. They follow from access rights: refdesk has no prices.',
  query: Type.Object(page),
  responses: { 200: FeedOf(Entitlement) },
})

export const listUserEntitlements = operation({
  ...read,
  path: '/port/v1/users/:UserKey/entitlements',
  operationId: 'listUserEntitlements',
  summary: 'List the entitlements of a user',
  description:
    'Returns, for each exchange, the asset types that a user of the client of the token or of a client below it may see there.',
  params: Type.Object({
    UserKey: describe(EntityKey, 'The key of the user.', { examples: ['YOjHpvTCTlWWcx|2vafgFA=='] }),
  }),
  query: Type.Object(page),
  responses: { 200: FeedOf(Entitlement) },
  errors: ['NoResultFound'],
})

export const handleListEntitlements: HandlerOf<typeof listEntitlements> = async (deps, request, reply) =>
  sendEntitlements(request, reply, await viewFor(deps, request), `${deps.baseUrl}${listEntitlements.path}`)

export const handleListUserEntitlements: HandlerOf<typeof listUserEntitlements> = async (deps, request, reply) => {
  const { identities, access, catalogue, baseUrl } = deps
  const caller = callerOf(request)
  const found = await identities.users.find(caller.ClientKey, request.params.UserKey)
  const { clientKey, userKey } = await access.visible(caller, found, 'UserKey')
  const view = { snapshot: catalogue.current(), access: await access.viewOfUser(clientKey, userKey) }
  const address = `${baseUrl}${listUserEntitlements.path.replace(':UserKey', encodeURIComponent(userKey))}`
  return sendEntitlements(request, reply, view, address)
}

function sendEntitlements(
  request: RequestOf<typeof listEntitlements>,
  reply: FastifyReply,
  view: View,
  address: string,
) {
  const types = visibleTypes(view)
  const page = pageOf(request, address, [...types.keys()].sort())
  const data = page.data.map((ExchangeId) => {
    const RealTimeTopOfBook = assetTypes.filter((type) => types.get(ExchangeId)?.has(type))
    const Greeks = RealTimeTopOfBook.filter((type) => type.endsWith('Option'))
    return { Entitlements: [{ Greeks, RealTimeFullBook: [], RealTimeTopOfBook }], ExchangeId }
  })
  return sendWithBodyEtag(request, reply, feed({ ...page, data, maxRows: wholeListMaxRows }))
}
