import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import type { AccessAsk, AccessDirectory } from '../../access/directory.ts'
import { assetTypes } from '../../core/asset-type.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { Db } from '../../database/open.ts'
import { sentQuery } from '../../http/input/query.ts'
import type { Handler, Operation, RequestOf } from '../../http/operation.ts'
import { sendWithBodyEtag, sendWithEtag } from '../../http/output/caching.ts'
import { nextLink } from '../../http/output/feed.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { findVisible, type VisibleRow } from '../catalogue/search/visible.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import type { JsonBuffer } from '../catalogue/write/json-buffer.ts'

export type InstrumentDependencies = Readonly<{
  version: string
  db: Db
  catalogue: Catalogue
  access: AccessDirectory
  clock: Clock
  profile: WireProfile
  baseUrl: string
}>

export const read = { method: 'GET', documented: { etag: true } } as const
export const readInstruments = { ...read, config: { rateLimit: 'RefDataInstrumentsMinute' } } as const

export type HandlerOf<O extends Operation> = (
  deps: InstrumentDependencies,
  request: RequestOf<O>,
  reply: FastifyReply,
) => ReturnType<Handler<O>>

export async function viewFor(
  { catalogue, access, clock, profile: { sendsObsoleteFields } }: InstrumentDependencies,
  request: FastifyRequest,
  ask: AccessAsk = {},
): Promise<RequestView> {
  const view = await access.viewOf(callerOf(request), ask)
  return { snapshot: catalogue.current(), access: view, now: clock.now(), sendsObsoleteFields }
}

/** Unknown and invisible instruments get the same error, so that it reveals nothing. */
export function requireVisible(view: RequestView, uic: number, assetType: string): VisibleRow {
  const found = findVisible(view, uic, assetType)
  if (found) return found
  const others = assetTypes.filter((other) => findVisible(view, uic, other))
  const hint = others.length > 0 ? ` It is offered as ${others.join(', ')}.` : ''
  throw new Problem(
    'IllegalInstrumentId',
    `There is no instrument ${uic} as ${assetType}, or you may not see it.${hint}`,
  )
}

/** Sends a body that changes at most daily, tagged by what it depends on: a repeated request builds no body (§2.7). */
export function sendTagged(
  { version, profile }: InstrumentDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { snapshot, access, now }: RequestView,
  makeBody: () => Buffer,
): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  const tag = snapshot.tagFor(access.signature, `${version} ${profile.daySuffix}`, now)
  return sendWithEtag(request, reply, tag, makeBody)
}

/** Sends a body that can change within the day, such as sessions, tagged by its hash. */
export function sendHashed(request: FastifyRequest, reply: FastifyReply, body: Buffer): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, body)
}

export const nextPageLink =
  <Cursor>(url: string, request: FastifyRequest, format: (cursor: Cursor) => string) =>
  (cursor: Cursor) =>
    nextLink(url, sentQuery(request), { $skiptoken: format(cursor) })

export type FeedLinks<Cursor> = Readonly<{
  nextLink: (cursor: Cursor) => string
  maxRows?: number
  /** Whether a feed of nothing is an error (§3). */
  isEmptyAnError?: boolean
}>

/** Writes a feed up to the opening bracket of its rows. */
export function openFeed<Cursor>(
  out: JsonBuffer,
  { nextLink, maxRows }: FeedLinks<Cursor>,
  count: number | undefined,
  next: Cursor | undefined,
): JsonBuffer {
  out.ascii('{')
  if (count !== undefined) out.ascii(`"__count":${count},`)
  if (next !== undefined) out.text(`"__next":${JSON.stringify(nextLink(next))},`)
  if (maxRows !== undefined) out.ascii(`"MaxRows":${maxRows},`)
  return out.ascii('"Data":[')
}
