import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import type { AccessAsk, AccessDirectory } from '../../access/directory.ts'
import type { IdentityDirectory } from '../../access/identities.ts'
import type { AccessView } from '../../access/rules/visibility.ts'
import { assetTypes } from '../../core/asset-type.ts'
import { type MaybePromise, whenKnown } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { requireMoment } from '../../database/history/moments.ts'
import type { Db } from '../../database/open.ts'
import type { Basis } from '../../http/answers/remember-answers.ts'
import type { AddHelp } from '../../http/explain/help-link.ts'
import type { Handler, Operation, RequestOf } from '../../http/operation.ts'
import { sendWithBodyEtag, sendWithEtag } from '../../http/output/caching.ts'
import { nextLink } from '../../http/output/feed.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { findVisible, type VisibleRow } from '../catalogue/search/visible.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import type { JsonBuffer } from '../catalogue/write/json-buffer.ts'

export type InstrumentDependencies = Readonly<{
  /** What a response depends on besides data and access: the version and the wire profile. */
  program: string
  db: Db
  catalogue: Catalogue
  access: AccessDirectory
  identities: IdentityDirectory
  clock: Clock
  profile: WireProfile
  baseUrl: string
  addHelp: AddHelp
}>

export const read = { method: 'GET', documented: { etag: true } } as const
export const readInstruments = {
  method: 'GET',
  documented: { etag: true, headers: ['Link'] },
  config: { rateLimit: 'RefDataInstrumentsMinute', isExplained: true },
} as const

export type HandlerOf<O extends Operation> = (
  deps: InstrumentDependencies,
  request: RequestOf<O>,
  reply: FastifyReply,
) => ReturnType<Handler<O>>

/** What a response is made from, and what the request says about it. A view of the past is never remembered. */
export type AskedView = RequestView & Readonly<{ ask: AccessAsk; isPast?: boolean }>

/** Whose rights count, and what was known (§9.7). */
type ViewAsk = AccessAsk & Readonly<{ AsOf?: string | undefined }>

const nothingAsked: AccessAsk = {}

/** Answers with the view of the caller, without waiting if it is in memory. */
export function withView<Result>(
  deps: InstrumentDependencies,
  request: Pick<FastifyRequest, 'caller'>,
  { ClientKey, AccountKey, AsOf }: ViewAsk,
  answer: (view: AskedView) => MaybePromise<Result>,
): MaybePromise<Result> {
  const ask = ClientKey === undefined && AccountKey === undefined ? nothingAsked : { ClientKey, AccountKey }
  const caller = callerOf(request)
  return whenKnown(deps.access.viewOf(caller, ask), (access) =>
    AsOf === undefined ? answer(viewNow(deps, access, ask)) : pastView(deps, caller, ask, AsOf).then(answer),
  )
}

/** The data is that of a moment. Rights and clock are those of now: they are read after waiting for the data. */
async function pastView(
  deps: InstrumentDependencies,
  caller: Caller,
  ask: AccessAsk,
  asOf: string,
): Promise<AskedView> {
  const moment = await requireMoment(deps.db, asOf, 'reference')
  const snapshot = await deps.catalogue.at(moment, caller.ClientKey)
  return { ...viewNow(deps, await deps.access.viewOf(caller, ask), ask), snapshot, isPast: true }
}

/** The same for handlers that wait anyway. */
export const viewFor = async (
  deps: InstrumentDependencies,
  request: Pick<FastifyRequest, 'caller'>,
  ask: ViewAsk = nothingAsked,
): Promise<AskedView> => withView(deps, request, ask, (view) => view)

function viewNow(
  { catalogue, clock, profile: { sendsObsoleteFields, limitsTradableAs, limitsMembers } }: InstrumentDependencies,
  access: AccessView,
  ask: AccessAsk,
): AskedView {
  const rows = { sendsObsoleteFields, limitsTradableAs, limitsMembers }
  return { snapshot: catalogue.current(), access, now: clock.nowMs(), ...rows, ask }
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

/** For other domains: whether a caller may see an instrument with the rights of a client. Option contracts are none. */
export const visibleInstruments =
  ({ access, catalogue }: Pick<InstrumentDependencies, 'access' | 'catalogue'>) =>
  (caller: Caller, ClientKey: string): MaybePromise<(uic: number, assetType: string) => boolean> =>
    whenKnown(access.viewOf(caller, { ClientKey }), (rights) => {
      const view = { snapshot: catalogue.current(), access: rights }
      return (uic, assetType) => {
        const found = findVisible(view, uic, assetType)
        return found !== undefined && found.contract === undefined
      }
    })

/** Sends a body that changes at most daily, tagged by what it depends on: a repeated request builds no body (§2.7). */
export function sendTagged<Body>(
  { program }: InstrumentDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  view: AskedView,
  makeBody: () => Body,
): Body | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  const tag = view.snapshot.tagFor(view.access.signature, program, view.now)
  request.basis = basisOf(view, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return sendWithEtag(request, reply, tag, makeBody)
}

/** Sends a body tagged by its hash. If it can change within the day, such as sessions, `until` says when, in milliseconds
 *  since 1970. */
export function sendHashed(
  request: FastifyRequest,
  reply: FastifyReply,
  view: AskedView,
  { body, until = Number.POSITIVE_INFINITY }: { body: Buffer; until?: number },
): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  request.basis = basisOf(view, view.now, until)
  return sendWithBodyEtag(request, reply, body)
}

function basisOf({ snapshot, access, ask, now, isPast }: AskedView, from: number, until: number): Basis | null {
  if (isPast) return null
  return { data: snapshot, day: snapshot.daysKey(now), ask, view: access.signature, from, until }
}

export const nextPageLink =
  <Cursor>(url: string, request: FastifyRequest, format: (cursor: Cursor) => string) =>
  (cursor: Cursor) =>
    nextLink(url, request, { $skiptoken: format(cursor) })

export type FeedLinks<Cursor> = Readonly<{
  nextLink: (cursor: Cursor) => string
  maxRows?: number
  /** Called if the page has no rows. */
  onEmpty?: () => void
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
