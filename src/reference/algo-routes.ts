import { Type } from 'typebox'
import { notFound } from '../core/problem.ts'
import { addOperation, operation } from '../http/operation.ts'
import { sendWithBodyEtag } from '../http/output/caching.ts'
import { FeedOf, feed, pageOf, wholeListMaxRows, wholeListQuery } from '../http/output/feed.ts'
import type { Server } from '../http/typed-server.ts'
import { AlgoStrategy, algoStrategies, findStrategy } from './algo-strategies.ts'

const path = '/ref/v1/algostrategies'
const example = findStrategy('VWAP')

const listAlgoStrategies = operation({
  method: 'GET',
  documented: { etag: true },
  path,
  operationId: 'listAlgoStrategies',
  summary: 'List algorithmic strategies',
  description:
    'Returns the strategies by which algorithmic orders are executed, by name, with the parameters that a trade ticket ' +
    'asks for. refdesk itself takes no orders.',
  query: Type.Object(wholeListQuery()),
  responses: { 200: FeedOf({ ...AlgoStrategy, examples: [example] }) },
})

const getAlgoStrategy = operation({
  method: 'GET',
  documented: { etag: true },
  path: `${path}/:Name`,
  operationId: 'getAlgoStrategy',
  summary: 'Get an algorithmic strategy',
  description: 'Returns one strategy. Name matches in any case.',
  params: Type.Object({
    Name: Type.String({ maxLength: 100, description: 'The name of the strategy.', examples: ['VWAP'] }),
  }),
  responses: { 200: { ...AlgoStrategy, examples: [example] } },
  errors: ['NoResultFound'],
})

export function algoRoutes(api: Server, baseUrl: string): void {
  addOperation(api, listAlgoStrategies, async (request, reply) => {
    const page = pageOf(request, `${baseUrl}${path}`, algoStrategies)
    const body = feed({ ...page, count: algoStrategies.length, maxRows: wholeListMaxRows })
    return sendWithBodyEtag(request, reply, body)
  })
  addOperation(api, getAlgoStrategy, async (request, reply) => {
    const found = findStrategy(request.params.Name)
    if (!found) throw notFound(`Strategy ${request.params.Name}`)
    return sendWithBodyEtag(request, reply, found)
  })
}
