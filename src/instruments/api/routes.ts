import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import type { AccessAsk, AccessDirectory } from '../../access/directory.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { sentQuery } from '../../http/input/query.ts'
import { sendWithBodyEtag, sendWithEtag } from '../../http/output/caching.ts'
import { nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { parseFieldGroups } from '../rules/field-groups.ts'
import { assetTypeNamed, typesAndHint, valueChangeBounds } from '../rules/search-criteria.ts'
import {
  detailsAnswer,
  detailsListAnswer,
  futuresSpaceAnswer,
  optionSpaceAnswer,
  type RequestView,
  scheduleAnswer,
  searchAnswer,
} from './answers.ts'
import { formatDetailsCursor, formatSearchCursor, parseDetailsCursor, parseSearchCursor } from './cursor.ts'
import { displayHints } from './enums.ts'
import * as schema from './schema.ts'

export type InstrumentParts = Readonly<{
  /** Of the program: another one may answer otherwise. */
  version: string
  catalogue: Catalogue
  access: AccessDirectory
  clock: Clock
  profile: WireProfile
  baseUrl: string
}>

/** Operations 1 to 6, from memory alone: see docs/architecture.md, the catalogue. */
export function instrumentRoutes(api: Server, parts: InstrumentParts): void {
  const { version, catalogue, access, clock, profile, baseUrl } = parts
  const path = '/ref/v1/instruments'
  const config = { rateLimit: 'RefDataInstrumentsMinute' } as const
  const tags = ['ref']
  // Another version may tell the same data otherwise.
  const program = `${version} ${profile.daySuffix}`

  const viewFor = async (request: FastifyRequest, ask: AccessAsk): Promise<RequestView> => {
    const view = await access.viewOf(callerOf(request), ask)
    return { snapshot: catalogue.current(), view, now: clock.now() }
  }

  /** Everything an answer depends on beside its address (contract §3). */
  const answer = (request: FastifyRequest, reply: FastifyReply, requestView: RequestView, make: () => Buffer) => {
    const { snapshot, view, now } = requestView
    reply.header('content-type', 'application/json; charset=utf-8')
    return sendWithEtag(request, reply, snapshot.tagFor(view.signature, program, now), make)
  }

  const linkTo = (request: FastifyRequest, address: string) => (token: string) =>
    nextLink(`${baseUrl}${path}${address}`, sentQuery(request), { $skiptoken: token })

  api.get(
    path,
    {
      config,
      schema: {
        operationId: 'searchInstruments',
        summary: 'Search instruments and option roots',
        description:
          'Find what can be traded by words, asset type, exchange and more. Best matches first: a symbol before an ISIN before a word ' +
          'of the description, the more liquid first. A word that matches nothing is tried with one typo. What is found leads on: ' +
          'an instrument to its details, an option root to its option space.',
        documented: { etag: true, errors: ['InvalidSearchCriteriaProvided', 'NoResultFound'] },
        tags,
        querystring: schema.SearchQuery,
        response: { 200: schema.SearchResults },
      },
    },
    async (request, reply) => {
      const { query } = request
      const { assetTypes, hint } = typesAndHint(query, displayHints)
      const criteria = {
        keywords: query.Keywords?.trim() || undefined,
        assetTypes: assetTypes && [...assetTypes],
        exchangeId: query.ExchangeId,
        isComplex: query.Class && query.Class === 'Complex',
        displayHint: hint,
        canParticipateInMultiLegOrder: query.CanParticipateInMultiLegOrder,
        includeNonTradable: query.IncludeNonTradable,
        uics: query.Uics,
        bounds: valueChangeBounds(query),
      }
      const page = {
        top: query.$top,
        skip: query.$skip,
        after: parseSearchCursor(query.$skiptoken),
        isCounted: query.$inlinecount === 'AllPages',
      }
      const link = linkTo(request, '')
      const requestView = await viewFor(request, query)
      return answer(request, reply, requestView, () =>
        searchAnswer(requestView, criteria, page, { nextLink: (cursor) => link(formatSearchCursor(cursor)) }),
      )
    },
  )

  api.get(
    `${path}/details`,
    {
      config,
      schema: {
        operationId: 'listInstrumentDetails',
        summary: 'Details of many instruments',
        description:
          'For whoever keeps a copy, or needs many at once: every instrument that the caller may see, tradable or not, one row for each ' +
          'of its asset types, by Uic.',
        documented: { etag: true, errors: ['InvalidSearchCriteriaProvided', 'NoResultFound'] },
        tags,
        querystring: schema.DetailsListQuery,
        response: { 200: schema.InstrumentDetailsList },
      },
    },
    async (request, reply) => {
      const { query } = request
      const { assetTypes, hint } = typesAndHint(query, displayHints)
      const criteria = { uics: query.Uics, assetTypes: assetTypes && [...assetTypes], displayHint: hint }
      const page = { top: query.$top, skip: query.$skip, after: parseDetailsCursor(query.$skiptoken) }
      const groups = parseFieldGroups(query.FieldGroups)
      const link = linkTo(request, '/details')
      const requestView = await viewFor(request, query)
      const feed = {
        maxRows: schema.instrumentsPage.maxTop,
        nextLink: (cursor: Parameters<typeof formatDetailsCursor>[0]) => link(formatDetailsCursor(cursor)),
      }
      const make = () => detailsListAnswer(requestView, criteria, page, groups, feed)
      return groups.has('TradingSessions')
        ? answerJson(request, reply, make())
        : answer(request, reply, requestView, make)
    },
  )

  api.get(
    `${path}/details/:Uic/:AssetType`,
    {
      config,
      schema: {
        operationId: 'getInstrumentDetails',
        summary: 'Details of one instrument',
        description:
          'All that a trade ticket needs of one instrument: sizes, order types, price format, exchange, and whether and on which ' +
          'accounts the caller may trade it. FieldGroups adds what is longer.',
        documented: { etag: true, errors: ['IllegalInstrumentId', 'InvalidAssetType', 'NoResultFound'] },
        tags,
        params: schema.InstrumentParams,
        querystring: schema.DetailsQuery,
        response: { 200: schema.InstrumentDetails },
      },
    },
    async (request, reply) => {
      const assetType = assetTypeNamed(request.params.AssetType)
      const groups = parseFieldGroups(request.query.FieldGroups)
      const requestView = await viewFor(request, request.query)
      const make = detailsAnswer(requestView, request.params.Uic, assetType, groups)
      return groups.has('TradingSessions')
        ? answerJson(request, reply, make())
        : answer(request, reply, requestView, make)
    },
  )

  api.get(
    `${path}/contractoptionspaces/:OptionRootId`,
    {
      config,
      schema: {
        operationId: 'getOptionSpace',
        summary: 'An option root and its option space',
        description:
          'An option chain. By default its series are told without their options, which are many; OptionSpaceSegment says of which ' +
          'expiries to tell them. Expired series are gone.',
        documented: { etag: true, errors: ['NoResultFound', 'ExpiryDatesMustBeSet', 'UnderlyingUICMustBeSet'] },
        tags,
        params: schema.OptionSpaceParams,
        querystring: schema.OptionSpaceQuery,
        response: { 200: schema.OptionSpace },
      },
    },
    async (request, reply) => {
      const requestView = await viewFor(request, { ClientKey: request.query.ClientKey })
      const body = optionSpaceAnswer(requestView, request.params.OptionRootId, request.query, profile.daySuffix)
      if (!body) throw notFound(`Option root ${request.params.OptionRootId}`)
      return answer(request, reply, requestView, () => body)
    },
  )

  api.get(
    `${path}/futuresspaces/:ContinuousFuturesUic`,
    {
      config,
      schema: {
        operationId: 'getFuturesSpace',
        summary: 'The futures of a continuous future',
        description:
          'A continuous future stands for a chain of futures and cannot be traded itself: these can, by expiry, without those that have ' +
          'expired.',
        documented: { etag: true, errors: ['NoResultFound', 'InvalidContinuousFuturesUic'] },
        tags,
        params: schema.FuturesSpaceParams,
        response: { 200: schema.FuturesSpace },
      },
    },
    async (request, reply) => {
      const requestView = await viewFor(request, {})
      const space = futuresSpaceAnswer(requestView, request.params.ContinuousFuturesUic)
      if (!space) throw notFound(`Futures space ${request.params.ContinuousFuturesUic}`)
      return answer(request, reply, requestView, () => Buffer.from(JSON.stringify(space)))
    },
  )

  api.get(
    `${path}/tradingschedule/:Uic/:AssetType`,
    {
      config,
      schema: {
        operationId: 'getTradingSchedule',
        summary: 'When an instrument is traded',
        description:
          'From the start of the present session through the next seven days, without gaps; holidays, half days and changes to ' +
          'summer time are in it.',
        documented: { etag: true, errors: ['IllegalInstrumentId', 'InvalidAssetType'] },
        tags,
        params: schema.InstrumentParams,
        response: { 200: schema.TradingSchedule },
      },
    },
    async (request, reply) => {
      const assetType = assetTypeNamed(request.params.AssetType)
      const requestView = await viewFor(request, {})
      return answerJson(request, reply, scheduleAnswer(requestView, request.params.Uic, assetType))
    },
  )
}

/** Sessions move on by the minute, not by the day. */
function answerJson(request: FastifyRequest, reply: FastifyReply, body: Buffer): Buffer | FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, body)
}
