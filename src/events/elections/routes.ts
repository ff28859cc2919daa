import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { wireTime } from '../../core/clock.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { etagOfBytes, sendWithEtag } from '../../http/output/caching.ts'
import { feed, nextPage, pageOf } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import type { EventDependencies } from '../api/list.ts'
import { electionsAfter } from '../store/elections.ts'
import { electInBulk } from './bulk.ts'
import { type ElectionDependencies, elect, electorOf } from './elect.ts'
import { listHoldings } from './holdings.ts'
import * as schema from './schema.ts'
import { addStanding, endStanding, readStanding, type StandingDependencies } from './standing.ts'

export const electOptions = operation({
  method: 'PUT',
  path: '/ca/v2/elections',
  operationId: 'electOptions',
  permission: 'elect',
  summary: 'Elect options of an event',
  description:
    'Replaces all elections of an account for an event: how much of its holding gets which option. What is left gets the ' +
    'default option after the deadline, until which elections can be changed. Send the ETag of the holding as If-Match to ' +
    'change only what you have read.',
  body: schema.NewElection,
  responses: { 202: Type.Null({ description: 'The election was accepted.' }) },
  errors: ['NoResultFound', 'NotElectable', 'ElectionChanged'],
  documented: { ifMatch: true, headers: ['ETag'] },
})

export const electInShares = operation({
  method: 'PUT',
  path: '/ca/v2/elections/bulk',
  operationId: 'electInBulk',
  permission: 'elect',
  summary: 'Elect the same options for several accounts',
  description:
    'Elects shares of the holding of each account. An account that fails does not stop the others: see its row.',
  body: schema.BulkElection,
  responses: { 202: schema.BulkResponse },
})

export const getHoldings = operation({
  method: 'GET',
  path: '/ca/v2/holdings',
  operationId: 'listHoldings',
  summary: 'List holdings of events',
  description:
    'Returns what the selected accounts hold for an event, or for all listed events, and what they have elected. With EventId ' +
    'and AccountKey, the ETag is the one that an election takes as If-Match.',
  query: schema.HoldingsQuery,
  responses: { 200: schema.HoldingsResponse },
  errors: ['NoResultFound'],
  documented: { etag: true },
})

const standingPath = '/ca/v2/standinginstructions'

export const listStandingInstructions = operation({
  method: 'GET',
  path: standingPath,
  operationId: 'listStandingInstructions',
  summary: 'List standing instructions',
  description: 'Returns which option of dividend options and reinvestments the accounts get if they elect nothing.',
  query: schema.InstructionsQuery,
  responses: { 200: schema.InstructionsResponse },
  errors: ['NoResultFound'],
})

export const createStandingInstructions = operation({
  method: 'POST',
  path: standingPath,
  operationId: 'createStandingInstructions',
  permission: 'elect',
  summary: 'Give standing instructions',
  description:
    'Chooses the option that an account gets of dividend options and reinvestments of an instrument if nothing was elected by ' +
    'the deadline. A row that fails does not stop the others.',
  body: schema.NewInstructions,
  responses: { 201: schema.CreatedInstructions },
  errors: ['NoResultFound'],
})

export const deleteStandingInstructions = operation({
  method: 'DELETE',
  path: standingPath,
  operationId: 'deleteStandingInstructions',
  permission: 'elect',
  summary: 'End standing instructions',
  description: 'Ends standing instructions, all of them or none. What they were applied to does not change.',
  query: schema.DeletedInstructionsQuery,
  responses: { 200: Type.Null({ description: 'They have ended.' }) },
  errors: ['NoResultFound'],
})

export const listElections = operation({
  method: 'GET',
  path: '/x/v1/elections',
  operationId: 'listElections',
  summary: 'List elections in order',
  description:
    "Returns the elections of the caller's client and its sub-clients in the order in which they were made, for systems that " +
    'process them. Ask with the Number of the last one that you have: each is returned exactly once.',
  query: schema.ElectionsQuery,
  responses: { 200: schema.ElectionsResponse },
})

type Dependencies = Readonly<{
  elections: ElectionDependencies & StandingDependencies
  events: EventDependencies
  baseUrl: string
}>

/** Elections of the holders of securities (§7.9). */
export function electionRoutes(api: Server, deps: Dependencies): void {
  const { elections, events } = deps
  addOperation(api, electOptions, async (request, reply) => {
    const { Options, ...asked } = request.body
    const by = { ...electorOf(request), ifMatch: request.headers['if-match'] }
    const tag = await elect(elections, by, { ...asked, optionsOf: () => Options })
    return reply.code(202).header('etag', tag).send()
  })
  addOperation(api, electInShares, async (request, reply) => {
    const data = await electInBulk(elections, request, request.body)
    return reply.code(202).send(feed({ data, maxRows: schema.maxRows }))
  })
  addOperation(api, getHoldings, (request, reply) => handleGetHoldings(events, deps.baseUrl, request, reply))
  addOperation(api, listStandingInstructions, async (request) => {
    const all = await readStanding(elections, request, request.query)
    return feed({ ...pageOf(request, `${deps.baseUrl}${standingPath}`, all), maxRows: schema.maxInstructions })
  })
  addOperation(api, createStandingInstructions, async (request, reply) => {
    const data = await addStanding(elections, request, request.body)
    return reply.code(201).send(feed({ data, maxRows: schema.maxRows }))
  })
  addOperation(api, deleteStandingInstructions, async (request, reply) => {
    await endStanding(elections, request, request.query)
    return reply.code(200).send()
  })
  addOperation(api, listElections, (request) => handleListElections(elections, request))
}

async function handleGetHoldings(
  events: EventDependencies,
  baseUrl: string,
  request: RequestOf<typeof getHoldings>,
  reply: FastifyReply,
) {
  const { query } = request
  const { holdings, total, tag } = await listHoldings(events, callerOf(request), query)
  const next = nextPage(request, `${baseUrl}${getHoldings.path}`, query.$skip + holdings.length < total)
  const link = next === undefined ? '' : `"__next":${JSON.stringify(next)},`
  const body = `{"__count":${total},${link}"MaxRows":${schema.holdingsPage.maxTop},"Data":[${holdings.join(',')}]}`
  reply.header('content-type', 'application/json; charset=utf-8')
  return sendWithEtag(request, reply, tag ?? etagOfBytes(body), () => Buffer.from(body))
}

async function handleListElections({ db }: ElectionDependencies, request: RequestOf<typeof listElections>) {
  const { Since, $top } = request.query
  const found = await electionsAfter(db, Since, $top, callerOf(request).ClientKey)
  const data = found.map(({ number, eventId, accountKey, electedAt, userKey, appKey, elections }) => ({
    Number: number,
    EventId: eventId,
    AccountKey: accountKey,
    ElectedAt: wireTime(electedAt),
    UserKey: userKey,
    AppKey: appKey,
    Options: elections.Options ?? [],
  }))
  return feed({ data, maxRows: schema.electionsPage.maxTop })
}
