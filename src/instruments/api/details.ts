import type { FastifyReply, FastifyRequest } from 'fastify'
import { type MaybePromise, whenKnown } from '../../core/async/maybe-promise.ts'
import { ownTurn } from '../../core/async/own-turn.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import { operation } from '../../http/operation.ts'
import { FeedOf } from '../../http/output/feed.ts'
import {
  type DetailCriteria,
  type DetailPage,
  type DetailRow,
  type DetailsCursor,
  findDetails,
} from '../catalogue/search/find-details.ts'
import type { RequestView } from '../catalogue/snapshot.ts'
import { writeDetails } from '../catalogue/write/contract-writer.ts'
import { JsonBuffer } from '../catalogue/write/json-buffer.ts'
import { type Groups, RowWriter } from '../catalogue/write/row-writer.ts'
import { parseFieldGroups } from '../rules/field-groups.ts'
import { assetTypeNamed, typesAndHint } from '../rules/search-criteria.ts'
import { detailsCursor } from './cursor.ts'
import { displayHints } from './fields/enums.ts'
import { DetailsListQuery, DetailsQuery, InstrumentParams, instrumentsPage, MomentQuery } from './fields/parameters.ts'
import {
  type FeedLinks,
  type HandlerOf,
  nextPageLink,
  openFeed,
  readInstruments,
  requireVisible,
  sendHashed,
  sendTagged,
  withView,
} from './request-view.ts'
import { InstrumentDetails, TradingSchedule } from './schema.ts'

export const listInstrumentDetails = operation({
  ...readInstruments,
  path: '/ref/v1/instruments/details',
  operationId: 'listInstrumentDetails',
  summary: 'List instrument details',
  description:
    'Returns the details of every instrument that the caller may see, tradable or not, one row per asset type, ordered by ' +
    'Uic. Use it to keep a copy or to read many instruments at once.',
  query: DetailsListQuery,
  responses: { 200: FeedOf(InstrumentDetails) },
  errors: ['InvalidSearchCriteriaProvided', 'MomentExpired', 'NoResultFound'],
})

export const getInstrumentDetails = operation({
  ...readInstruments,
  path: '/ref/v1/instruments/details/:Uic/:AssetType',
  operationId: 'getInstrumentDetails',
  summary: 'Get instrument details',
  description:
    'Returns what a trade ticket needs: sizes, order types, price format, exchange, and on which accounts the caller may ' +
    'trade the instrument. FieldGroups adds longer fields.',
  params: InstrumentParams,
  query: DetailsQuery,
  responses: { 200: InstrumentDetails },
  errors: ['IllegalInstrumentId', 'InvalidAssetType', 'MomentExpired', 'NoResultFound'],
})

export const getTradingSchedule = operation({
  ...readInstruments,
  path: '/ref/v1/instruments/tradingschedule/:Uic/:AssetType',
  operationId: 'getTradingSchedule',
  summary: 'Get a trading schedule',
  description:
    'Returns the trading sessions of an instrument, without gaps, from the start of the current session through the next ' +
    'seven days. Holidays, half days and daylight saving time are accounted for.',
  params: InstrumentParams,
  query: MomentQuery,
  responses: { 200: TradingSchedule },
  errors: ['IllegalInstrumentId', 'InvalidAssetType', 'MomentExpired'],
})

type DetailsParameters = Parameters<HandlerOf<typeof listInstrumentDetails>>[1]['query']

/** What a request of operation 2 lists, and which page of it. */
export function requestedDetails(query: DetailsParameters): { criteria: DetailCriteria; page: DetailPage } {
  const { assetTypes, hint } = typesAndHint(query, displayHints)
  return {
    criteria: { uics: query.Uics, assetTypes: assetTypes && [...assetTypes], displayHint: hint },
    page: { top: query.$top, skip: query.$skip, after: detailsCursor.parse(query.$skiptoken) },
  }
}

export const handleListInstrumentDetails: HandlerOf<typeof listInstrumentDetails> = (deps, request, reply) => {
  const { query } = request
  const { criteria, page } = requestedDetails(query)
  const groups = parseFieldGroups(query.FieldGroups)
  const nextLink = nextPageLink(`${deps.baseUrl}${listInstrumentDetails.path}`, request, detailsCursor.format)
  const isEmptyAnError = !deps.profile.isEmptyDetailsListFound
  const onEmpty = () => deps.addHelp(request, reply)
  const links = { maxRows: instrumentsPage.maxTop, nextLink, isEmptyAnError, onEmpty }
  return withView(deps, request, query, (view): MaybePromise<Buffer | FastifyReply> => {
    const writer = new RowWriter(view)
    const makeBody = () => {
      const list = new DetailsWriter(view, criteria, page, groups, links, writer)
      const isMade = list.rows.length <= rowsAtOnce && list.write()
      return isMade ? list.finish() : wholeInTurns(list, request)
    }
    if (!groups.has('TradingSessions')) return sendTagged(deps, request, reply, view, makeBody)
    return whenKnown(makeBody(), (body) => sendHashed(request, reply, view, { body, until: writer.until }))
  })
}

/** Between parts other requests are served. Stops if the caller has disconnected: this error is neither sent nor counted. */
async function wholeInTurns(list: DetailsWriter, { raw }: FastifyRequest): Promise<Buffer> {
  do {
    await ownTurn()
    if (raw.destroyed) throw unavailable()
  } while (!list.write())
  return list.finish()
}

export const handleGetInstrumentDetails: HandlerOf<typeof getInstrumentDetails> = (deps, request, reply) => {
  const { params, query } = request
  const assetType = assetTypeNamed(params.AssetType)
  const groups = parseFieldGroups(query.FieldGroups)
  return withView(deps, request, query, (view) => {
    const writer = new RowWriter(view)
    const makeBody = detailsBody(view, params.Uic, assetType, groups, writer)
    if (!groups.has('TradingSessions')) return sendTagged(deps, request, reply, view, makeBody)
    return sendHashed(request, reply, view, { body: makeBody(), until: writer.until })
  })
}

export const handleGetTradingSchedule: HandlerOf<typeof getTradingSchedule> = (deps, request, reply) => {
  const assetType = assetTypeNamed(request.params.AssetType)
  return withView(deps, request, request.query, (view) =>
    sendHashed(request, reply, view, scheduleBody(view, request.params.Uic, assetType)),
  )
}

/** A longer page ends early and continues on the next one: each row may list thousands of accounts. */
const maxPageBytes = 8 * 1024 * 1024

/** More rows or bytes are written in parts: a page of all fields takes tens of milliseconds. */
const rowsAtOnce = 100
const bytesAtOnce = 256 * 1024

export const emptyDetailsProblem = (): Problem =>
  new Problem('NoResultFound', 'No instrument that you may see meets these criteria.')

/** Writes a page of the details list. */
export class DetailsWriter {
  readonly rows: readonly DetailRow[]
  readonly #next: DetailsCursor | undefined
  readonly #count: number
  readonly #groups: Groups
  readonly #links: FeedLinks<DetailsCursor>
  readonly #writer: RowWriter
  readonly #data = new JsonBuffer()
  #written = 0

  constructor(
    view: RequestView,
    criteria: DetailCriteria,
    page: DetailPage,
    groups: Groups,
    links: FeedLinks<DetailsCursor>,
    writer = new RowWriter(view),
  ) {
    const { rows, next, count } = findDetails(view, criteria, page)
    if (count === 0 && links.isEmptyAnError) throw emptyDetailsProblem()
    if (rows.length === 0) links.onEmpty?.()
    this.rows = rows
    this.#next = next
    this.#count = count
    this.#groups = groups
    this.#links = links
    this.#writer = writer
  }

  /** Writes the next part. Returns whether that was the end of the page. */
  write(): boolean {
    const data = this.#data
    const end = Math.min(this.rows.length, this.#written + rowsAtOnce)
    const endBytes = Math.min(maxPageBytes, data.length + bytesAtOnce)
    while (this.#written < end && data.length < endBytes) {
      if (this.#written > 0) data.ascii(',')
      writeDetails(data, this.#writer, this.rows[this.#written++] as DetailRow, this.#groups)
    }
    return this.#written === this.rows.length || data.length >= maxPageBytes
  }

  finish(): Buffer {
    const cursor = this.#written < this.rows.length ? this.rows[this.#written - 1]?.cursor : this.#next
    const out = openFeed(new JsonBuffer(), this.#links, this.#count, cursor)
    return out.bytes(this.#data.finish()).ascii(']}').finish()
  }

  whole(): Buffer {
    while (!this.write());
    return this.finish()
  }
}

/** Looks the instrument up immediately: an unknown one is an error even if the caller sends a matching entity tag. */
export function detailsBody(
  view: RequestView,
  uic: number,
  assetType: string,
  groups: Groups,
  writer = new RowWriter(view),
): () => Buffer {
  const found = requireVisible(view, uic, assetType)
  return () => writeDetails(new JsonBuffer(), writer, found, groups).finish()
}

export function scheduleBody(view: RequestView, uic: number, assetType: string): { body: Buffer; until: number } {
  const { reader, row } = requireVisible(view, uic, assetType)
  const { value: body, until } = reader.scheduleOf(row, view.now)
  return { body, until }
}
