import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import type { AccessDirectory } from '../../access/directory.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound } from '../../core/problem.ts'
import { sentQuery } from '../../http/input/query.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feed, nextLink, pageQuery } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ExchangeFacts } from '../catalogue/exchanges.ts'
import { visibleExchanges } from '../catalogue/search/visible.ts'
import type { Snapshot } from '../catalogue/snapshot.ts'
import { namedInAnyCase } from '../rules/holidays.ts'
import { Exchange, ExchangeParams } from './exchange-schema.ts'

const path = '/ref/v1/exchanges'

export const listExchanges = operation({
  method: 'GET',
  path,
  operationId: 'listExchanges',
  summary: 'List exchanges',
  description:
    'Returns the exchanges of the instruments that the caller may see, by ExchangeId, each with its current session and the ' +
    'remaining sessions of the day. `__count` is always included. For a whole week, read the trading schedule of an instrument.',
  tags: ['ref'],
  query: Type.Object(pageQuery({ defaultTop: 1_000, maxTop: 1_000 })),
  responses: { 200: FeedOf(Exchange) },
  documented: { etag: true },
})

export const getExchange = operation({
  method: 'GET',
  path: `${path}/:ExchangeId`,
  operationId: 'getExchange',
  summary: 'Get an exchange',
  description: 'Returns one exchange. ExchangeId matches in any case.',
  tags: ['ref'],
  params: ExchangeParams,
  responses: { 200: Exchange },
  errors: ['NoResultFound'],
  documented: { etag: true },
})

type Parts = Readonly<{ catalogue: Catalogue; access: AccessDirectory; clock: Clock; baseUrl: string }>
type RequestView = Readonly<{
  snapshot: Snapshot
  exchanges: ReadonlyMap<string, ExchangeFacts>
  now: Temporal.Instant
}>

/** Exchanges on which the caller may see at least one instrument. */
export function exchangeRoutes(api: Server, parts: Parts): void {
  addOperation(api, listExchanges, (request, reply) => handleListExchanges(parts, request, reply))
  addOperation(api, getExchange, (request, reply) => handleGetExchange(parts, request, reply))
}

async function viewFor({ catalogue, access, clock }: Parts, request: FastifyRequest): Promise<RequestView> {
  const view = await access.viewOf(callerOf(request), {})
  const snapshot = catalogue.current()
  return { snapshot, exchanges: visibleExchanges(snapshot, view), now: clock.now() }
}

async function handleListExchanges(parts: Parts, request: RequestOf<typeof listExchanges>, reply: FastifyReply) {
  const { snapshot, exchanges, now } = await viewFor(parts, request)
  const { $top, $skip } = request.query
  const end = $skip + $top
  const rows = [...exchanges.values()].slice($skip, end).map((exchange) => snapshot.exchangeText(exchange, now))
  const isLast = $top === 0 || end >= exchanges.size
  const next = isLast ? undefined : nextLink(`${parts.baseUrl}${path}`, sentQuery(request), { $skip: end })
  const { Data: _, ...members } = feed({ data: [], count: exchanges.size, next })
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, Buffer.from(`${JSON.stringify(members).slice(0, -1)},"Data":[${rows}]}`))
}

async function handleGetExchange(parts: Parts, request: RequestOf<typeof getExchange>, reply: FastifyReply) {
  const { snapshot, exchanges, now } = await viewFor(parts, request)
  const exchange = namedInAnyCase(exchanges, request.params.ExchangeId)
  if (!exchange) throw notFound(`Exchange ${request.params.ExchangeId}`)
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, Buffer.from(snapshot.exchangeText(exchange, now)))
}
