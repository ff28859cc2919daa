import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { allKnown, type MaybePromise, whenKnown } from '../../core/async/maybe-promise.ts'
import { describe } from '../../core/schema.ts'
import { type Feed, feed, nextPage, pageQuery } from '../../http/output/feed.ts'
import type { AccessDirectory } from '../directory.ts'
import type { IdentityDirectory } from '../identities.ts'
import type { Listed, Page } from '../store/listings.ts'
import { EntityKey } from './schema.ts'

export type IdentityDependencies = Readonly<{
  identities: IdentityDirectory
  access: AccessDirectory
  baseUrl: string
}>

const maxTop = 1_000
export const page = pageQuery({ defaultTop: 100, maxTop })

const ownOrBelow = 'the client of the token, or one below it; by default that of the token.'
export const ClientKeyQuery = Type.Optional(describe(EntityKey, `Whose: ${ownOrBelow}`))
export const OwnerKeyQuery = Type.Optional(describe(EntityKey, `The owner: ${ownOrBelow}`))
export const ofClient = { ...page, ClientKey: ClientKeyQuery }
export const includeBelow = (what: string) =>
  Type.Boolean({ default: false, description: `Whether to include the ${what} of all clients below.` })

export function sendPage<Row, View>(
  request: FastifyRequest<{ Querystring: Page }>,
  address: string,
  { rows, more, count }: Listed<Row>,
  view: (row: Row) => MaybePromise<View>,
): MaybePromise<Feed<View>> {
  const next = nextPage(request, address, more)
  return whenKnown(allKnown(rows.map(view)), (data) => feed({ data, maxRows: maxTop, count, next }))
}
