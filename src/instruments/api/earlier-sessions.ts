import { Type } from 'typebox'
import { mapInParts } from '../../core/async/in-parts.ts'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import { sendWithBodyEtag } from '../../http/output/caching.ts'
import { FeedOf, feedBytes, pageOf, pageQuery, wholeListMaxRows } from '../../http/output/feed.ts'
import { earlierSessionsExample } from './fields/examples.ts'
import { ExchangeId } from './fields/values.ts'
import { type HandlerOf, read } from './request-view.ts'
import { TradingSchedule } from './schema.ts'

/** Computing the sessions of so many takes about 5 ms. */
const exchangesAtOnce = 50

const EarlierSessions = Type.Object(
  {
    ExchangeId: describe(ExchangeId, 'The exchange.'),
    Sessions: describe(TradingSchedule.properties.Sessions, 'Sessions in order, the latest last, without closures.'),
  },
  {
    title: 'EarlierSessions',
    examples: [earlierSessionsExample],
    description: 'The sessions of an exchange that have ended.',
  },
)

export const listEarlierSessions = operation({
  ...read,
  path: '/x/v1/earliersessions',
  operationId: 'listEarlierSessions',
  summary: 'List the sessions of all exchanges that ended in the last 24 hours',
  description:
    'Returns every exchange, by ExchangeId, with the regular sessions that ended in the last 24 hours: what the list of exchanges, ' +
    'which begins with the current session, does not have. Requires no access right.',
  query: Type.Object(pageQuery({ defaultTop: wholeListMaxRows, maxTop: wholeListMaxRows })),
  responses: { 200: FeedOf(EarlierSessions) },
})

export const handleListEarlierSessions: HandlerOf<typeof listEarlierSessions> = async (deps, request, reply) => {
  const snapshot = deps.catalogue.current()
  const now = deps.clock.nowMs()
  const exchanges = [...snapshot.exchanges].sort(byId).map(([, exchange]) => exchange)
  const { data, count, next } = pageOf(request, `${deps.baseUrl}${listEarlierSessions.path}`, exchanges)
  const texts = await mapInParts(data, exchangesAtOnce, (exchange) => snapshot.earlierSessionsText(exchange, now))
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithBodyEtag(request, reply, feedBytes(texts, { count, next, maxRows: wholeListMaxRows }))
}

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1)
