import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { isOperator } from '../../access/store/identities.ts'
import type { Caller } from '../../core/caller.ts'
import type { Environment } from '../../core/environment.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { isInProcess } from '../../http/in-process.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { type Feed, feed, nextLink } from '../../http/output/feed.ts'
import { type Ending, lastEventId, sendEventStream } from '../../http/streams/event-stream.ts'
import type { Server } from '../../http/typed-server.ts'
import type { RequestReader, Selection, Summary } from '../reader.ts'
import type { Filter } from '../rules/filter.ts'
import type { RequestStreams } from '../streams.ts'
import { Exchange, LiveQuery, liveExample, maxRows, RequestParams, RequestsQuery, RequestsResponse } from './schema.ts'

export type RequestsDependencies = Readonly<{
  reader: RequestReader
  streams: RequestStreams
  db: Db
  environment: Environment
  baseUrl: string
  /** The AppKey of the console. */
  consoleKey: string
  /** Whether a token is still valid. Fails if that cannot be known now. */
  isValid(authorization: string | undefined): Promise<boolean>
}>

const path = '/x/v1/requests'
const config = { unlogged: true }
const whose = "Contains the requests of the caller's client; operators of sim see those of all clients."

export const listRequests = operation({
  method: 'GET',
  path,
  operationId: 'listRequests',
  permission: 'readRequests',
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
  permission: 'readRequests',
  summary: 'Get a request with its response',
  description: `Returns a whole exchange: headers and bodies, each cut to 16 KB, without secrets. ${whose}`,
  params: RequestParams,
  responses: { 200: Exchange },
  errors: ['NoResultFound'],
  config,
})

export const followRequests = operation({
  method: 'GET',
  path: `${path}/stream`,
  operationId: 'followRequests',
  permission: 'readRequests',
  summary: 'Follow requests live',
  description:
    `Sends every new request as a Server-Sent Event \`request\`, within a second. ${whose} With Last-Event-ID, those that were ` +
    'missed come first. A reader that is too slow loses the oldest ones and is told how many by an event `dropped`. The stream ' +
    'ends after a few minutes, when the session of the token ends, when an operator is one no longer and when the node closes, with ' +
    'an event `end`: connect again.',
  query: LiveQuery,
  errors: ['LimitReached'],
  documented: {
    responses: { 200: { description: 'The events.', type: 'text/event-stream', example: liveExample } },
  },
  config,
})

/** Whose entries the caller may see: those of a client, or undefined for all. */
export async function readableClient(
  { db, environment }: Pick<RequestsDependencies, 'db' | 'environment'>,
  caller: Caller,
): Promise<string | undefined> {
  return environment === 'sim' && (await isOperator(db, caller.UserKey)) ? undefined : caller.ClientKey
}

export const filterOf = (query: RequestsQuery | Static<typeof LiveQuery>, consoleKey: string): Filter => ({
  status: query.Status,
  appKey: query.AppKey,
  path: query.Path,
  withoutConsole: query.WithoutConsole ? consoleKey : undefined,
})

export async function handleListRequests(
  deps: RequestsDependencies,
  request: RequestOf<typeof listRequests>,
  reply: FastifyReply,
) {
  const { query } = request
  const client = await readableClient(deps, callerOf(request))
  reply.header('cache-control', 'no-store')
  const next = (cursor: string) => nextLink(`${deps.baseUrl}${path}`, request, { $skiptoken: cursor })
  return pageOf(deps, query, client, next)
}

/** A page of entries, and where the next one is. */
export async function pageOf(
  { reader, consoleKey }: Pick<RequestsDependencies, 'reader' | 'consoleKey'>,
  query: RequestsQuery,
  client: string | undefined,
  next: (cursor: string) => string,
): Promise<Feed<Summary>> {
  const filter = { ...filterOf(query, consoleKey), since: query.Since }
  const found = await reader.list({ client, filter, before: query.$skiptoken, limit: query.$top + 1 })
  const page = found.slice(0, query.$top)
  const last = page.at(-1)
  const hasMore = found.length > page.length && last !== undefined
  return feed({ data: page, next: hasMore ? next(last.Id) : undefined, maxRows })
}

export async function handleGetRequest(
  deps: RequestsDependencies,
  request: RequestOf<typeof getRequest>,
  reply: FastifyReply,
) {
  const found = await deps.reader.find(request.params.Id, await readableClient(deps, callerOf(request)))
  if (!found) throw notFound('The request')
  reply.header('cache-control', 'no-store')
  return found
}

export async function handleFollowRequests(
  deps: RequestsDependencies,
  request: RequestOf<typeof followRequests>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isInProcess(request.raw)) throw new Problem('InvalidRequest', 'A stream cannot be a part of a batch.')
  const caller = callerOf(request)
  const selection = { client: await readableClient(deps, caller), filter: filterOf(request.query, deps.consoleKey) }
  const { authorization } = request.headers
  const findEnding = async (): Promise<Ending | undefined> => {
    if (!(await deps.isValid(authorization))) return 'signed out'
    // Only what an operator sees can become too much.
    const isTooMuch = selection.client === undefined && (await readableClient(deps, caller)) !== undefined
    return isTooMuch ? 'rights changed' : undefined
  }
  return sendStream(deps.streams, request, reply, { reader: caller.UserKey, selection, findEnding })
}

type Reader = Readonly<{ reader: string; selection: Selection; findEnding(): Promise<Ending | undefined> }>

const idPattern = /^[0-9a-z]{1,64}$/

/** Sends the live log, from the event on that the caller has received last. */
export function sendStream(
  streams: RequestStreams,
  request: Pick<RequestOf<typeof followRequests>, 'headers' | 'raw' | 'server' | 'query'>,
  reply: FastifyReply,
  reader: Reader,
): FastifyReply {
  const given = lastEventId(request) ?? request.query.Since
  const since = given !== undefined && idPattern.test(given) ? given : undefined
  return sendEventStream(request, reply, streams.open({ ...reader, since }))
}

/** The operations of the request log; they exist while it is on (§11.6). */
export function requestLogRoutes(api: Server, deps: RequestsDependencies): void {
  addOperation(api, listRequests, (request, reply) => handleListRequests(deps, request, reply))
  addOperation(api, followRequests, (request, reply) => handleFollowRequests(deps, request, reply))
  addOperation(api, getRequest, (request, reply) => handleGetRequest(deps, request, reply))
}
