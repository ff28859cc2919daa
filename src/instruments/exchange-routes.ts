import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccessDirectory } from '../access/directory.ts'
import { callerOf } from '../access/routes.ts'
import type { Clock } from '../core/clock.ts'
import { notFound } from '../core/problem.ts'
import { answerItself } from '../http/caching.ts'
import { FeedOf, feed, nextLink, pageQuery } from '../http/feed.ts'
import { callersQuery } from '../http/query.ts'
import type { Server } from '../http/typed-server.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { ExchangeFacts } from './catalogue/exchanges.ts'
import type { Snapshot } from './catalogue/snapshot.ts'
import { visibleExchanges } from './catalogue/visible.ts'
import { Exchange, ExchangeParams } from './exchange-schema.ts'
import { namedInAnyCase } from './rules/holidays.ts'

const Query = Type.Object(pageQuery({ defaultTop: 1_000, maxTop: 1_000 }))

type Parts = Readonly<{ catalogue: Catalogue; access: AccessDirectory; clock: Clock; baseUrl: string }>
type Sight = Readonly<{ snapshot: Snapshot; exchanges: ReadonlyMap<string, ExchangeFacts>; now: Temporal.Instant }>

/** Where what the caller may see is traded. An exchange without any of it is not there for them. */
export function exchangeRoutes(api: Server, { catalogue, access, clock, baseUrl }: Parts): void {
  const path = '/ref/v1/exchanges'
  const tags = ['ref']

  const sightOf = async (request: FastifyRequest): Promise<Sight> => {
    const view = await access.viewOf(callerOf(request), {})
    const snapshot = catalogue.current()
    return { snapshot, exchanges: visibleExchanges(snapshot, view), now: clock.now() }
  }

  api.get(
    path,
    {
      schema: {
        operationId: 'listExchanges',
        summary: 'The exchanges',
        description:
          'Where instruments that you may see are traded, by ExchangeId, with the present session and those that follow ' +
          'until trading is over. `__count` is always told. The whole week of an instrument is its trading schedule.',
        documented: { etag: true },
        tags,
        querystring: Query,
        response: { 200: FeedOf(Exchange) },
      },
    },
    async (request, reply) => {
      const { snapshot, exchanges, now } = await sightOf(request)
      const { $top, $skip } = request.query
      const end = $skip + $top
      const rows = [...exchanges.values()].slice($skip, end).map((exchange) => snapshot.exchangeText(exchange, now))
      const isLast = $top === 0 || end >= exchanges.size
      const next = isLast ? undefined : nextLink(`${baseUrl}${path}`, callersQuery(request), { $skip: end })
      const { Data: _, ...members } = feed({ data: [], count: exchanges.size, next })
      reply.header('content-type', 'application/json; charset=utf-8')
      return answerItself(request, reply, Buffer.from(`${JSON.stringify(members).slice(0, -1)},"Data":[${rows}]}`))
    },
  )

  api.get(
    `${path}/:ExchangeId`,
    {
      schema: {
        operationId: 'getExchange',
        summary: 'One exchange',
        description: 'The same of one exchange, by its id in any case.',
        documented: { etag: true, refusals: ['NoResultFound'] },
        tags,
        params: ExchangeParams,
        response: { 200: Exchange },
      },
    },
    async (request, reply) => {
      const { snapshot, exchanges, now } = await sightOf(request)
      const exchange = namedInAnyCase(exchanges, request.params.ExchangeId)
      if (!exchange) throw notFound(`Exchange ${request.params.ExchangeId}`)
      reply.header('content-type', 'application/json; charset=utf-8')
      return answerItself(request, reply, Buffer.from(snapshot.exchangeText(exchange, now)))
    },
  )
}
