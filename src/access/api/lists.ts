import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import type { Db } from '../../database/open.ts'
import { type Feed, feed, nextPage, pageQuery } from '../../http/output/feed.ts'
import type { AccessDirectory } from '../directory.ts'
import type { Listed, Page } from '../store/listings.ts'
import { EntityKey } from './schema.ts'

export type IdentityDependencies = Readonly<{ db: Db; access: AccessDirectory; baseUrl: string }>

const maxTop = 1_000
export const page = pageQuery({ defaultTop: 100, maxTop })

const ownOrBelow = 'the client of the token, or one below it; by default that of the token.'
export const ClientKeyQuery = Type.Optional(describe(EntityKey, `Whose: ${ownOrBelow}`))
export const OwnerKeyQuery = Type.Optional(describe(EntityKey, `The owner: ${ownOrBelow}`))
export const ofClient = { ...page, ClientKey: ClientKeyQuery }
export const includeBelow = (what: string) =>
  Type.Boolean({ default: false, description: `Whether to include the ${what} of all clients below.` })

export async function sendPage<Row, View>(
  request: FastifyRequest<{ Querystring: Page }>,
  address: string,
  { rows, more, count }: Listed<Row>,
  view: (row: Row) => View | Promise<View>,
): Promise<Feed<View>> {
  const next = nextPage(request, address, more)
  return feed({ data: await Promise.all(rows.map(view)), maxRows: maxTop, count, next })
}
