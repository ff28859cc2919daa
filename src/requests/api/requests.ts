import type { FastifyReply } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { isOperator } from '../../access/store/identities.ts'
import type { Caller } from '../../core/caller.ts'
import type { Environment } from '../../core/environment.ts'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { sentQuery } from '../../http/input/query.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { RequestLog } from '../../http/request-log/request-log.ts'
import { type Filter, matches } from '../rules/filter.ts'
import { Exchange, maxRows, RequestParams, RequestsQuery, RequestsResponse } from './schema.ts'
import { exchangeOf, summaryOf } from './view.ts'

export type RequestsDependencies = Readonly<{ log: RequestLog; db: Db; environment: Environment; baseUrl: string }>

const path = '/x/v1/requests'
const config = { unlogged: true }
const whose = "Contains the requests of the caller's client; operators of sim see those of all clients."

export const listRequests = operation({
  method: 'GET',
  path,
  operationId: 'listRequests',
  summary: 'List the latest requests',
  description: `Returns the latest requests that this node has answered, newest first. ${whose} Without health checks and without requests to the log itself.`,
  query: RequestsQuery,
  responses: { 200: RequestsResponse },
  config,
})

export const getRequest = operation({
  method: 'GET',
  path: `${path}/:Id`,
  operationId: 'getRequest',
  summary: 'Get a request with its response',
  description: `Returns a whole exchange: headers and bodies, each cut to 16 KB, without secrets. ${whose}`,
  params: RequestParams,
  responses: { 200: Exchange },
  errors: ['NoResultFound'],
  config,
})

/** Whose entries the caller may see: those of a client, or undefined for all. */
async function clientOf({ db, environment }: RequestsDependencies, caller: Caller): Promise<string | undefined> {
  return environment === 'sim' && (await isOperator(db, caller.UserKey)) ? undefined : caller.ClientKey
}

export async function handleListRequests(
  deps: RequestsDependencies,
  request: RequestOf<typeof listRequests>,
  reply: FastifyReply,
) {
  const { query } = request
  const client = await clientOf(deps, callerOf(request))
  const { log } = deps
  const filter: Filter = { status: query.Status, appKey: query.AppKey, path: query.Path, since: query.Since }
  const before = query.$skiptoken
  const found = []
  for (const entry of log.ring.newest(client)) {
    if (before !== undefined && entry.id >= before) continue
    if (!matches(entry, log.target(entry), filter)) continue
    found.push(entry)
    if (found.length > query.$top) break
  }
  const page = found.slice(0, query.$top)
  const last = page.at(-1)
  const hasMore = found.length > page.length && last !== undefined
  const next = hasMore ? nextLink(`${deps.baseUrl}${path}`, sentQuery(request), { $skiptoken: last.id }) : undefined
  reply.header('cache-control', 'no-store')
  return feed({ data: page.map((entry) => summaryOf(entry, () => log.target(entry))), next, maxRows })
}

export async function handleGetRequest(
  deps: RequestsDependencies,
  request: RequestOf<typeof getRequest>,
  reply: FastifyReply,
) {
  const { log } = deps
  const entry = log.find(request.params.Id, await clientOf(deps, callerOf(request)))
  if (!entry) throw notFound('The request')
  reply.header('cache-control', 'no-store')
  return exchangeOf(entry, (each) => log.target(each))
}
