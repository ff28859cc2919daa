import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AssetType } from '../../core/asset-type.ts'
import { allKnown, type MaybePromise, whenKnown } from '../../core/async/maybe-promise.ts'
import { describe } from '../../core/schema.ts'
import type { RestReply } from '../../http/exchange.ts'
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

type Sent = Readonly<{ assetTypes: readonly AssetType[]; body: Buffer }>
const sent = new WeakMap<object, Sent>()

/** Sends the view of a row from memory. It is written again only if the row or the asset types are not those of last time,
 *  which the direct path cannot do. */
export function sendView(
  reply: RestReply,
  row: object,
  assetTypes: MaybePromise<readonly AssetType[]>,
  view: (assetTypes: readonly AssetType[]) => object,
): MaybePromise<Buffer | undefined> {
  return whenKnown(assetTypes, (known) => {
    const last = sent.get(row)
    const written = last?.assetTypes === known ? last.body : undefined
    const body = written ?? (reply.serialize && exactBytes(String(reply.serialize(view(known)))))
    if (body && body !== written) sent.set(row, { assetTypes: known, body })
    reply.sharesPayload = true
    if (body) reply.header('content-type', 'application/json; charset=utf-8')
    return body
  })
}

/** Without the rest of a larger buffer, which would stay in memory with it. */
function exactBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
