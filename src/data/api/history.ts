import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { type OperatorDependencies, operatorOf } from '../../access/operator.ts'
import { isOperator } from '../../access/store/identities.ts'
import type { Caller } from '../../core/caller.ts'
import { notFound } from '../../core/problem.ts'
import { mayOperate } from '../../core/rights/permissions.ts'
import { inSnapshot } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { feed, nextPage } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { entryOf, everything, type FieldFilter } from '../history/entries.ts'
import type { HistoryKind } from '../history/kinds.ts'
import { versionsOf } from '../history/versions.ts'
import { countRecordRuns, listRecordRuns } from '../store/versions.ts'
import * as schema from './history-schema.ts'

const path = '/x/v1/history'

export const getHistory = operation({
  method: 'GET',
  path: `${path}/:Kind/:Id`,
  operationId: 'getHistory',
  summary: 'List the versions of a record',
  description:
    'Returns what each run changed in a record, latest first, with the fields that differ. Instruments, option roots and events that ' +
    'the caller may not see now are unknown. Clients, accounts, users, access rights and positions only for operators; in live only ' +
    'with a token of the console. Operators also see records that were removed.',
  params: schema.HistoryParams,
  query: schema.HistoryQuery,
  responses: { 200: schema.HistoryFeed },
  errors: ['NoResultFound', 'RequestNotAllowed'],
})

export type HistoryDependencies = OperatorDependencies &
  Readonly<{
    baseUrl: string
    /** What the caller may see of a record now; undefined if nothing. */
    filterFor(caller: Caller, kind: HistoryKind, id: string): Promise<FieldFilter | undefined>
  }>

export function historyRoutes(api: Server, deps: HistoryDependencies): void {
  addOperation(api, getHistory, (request, reply) => handleGetHistory(deps, request, reply))
}

const forOperators: readonly HistoryKind[] = ['client', 'account', 'user', 'accessRight', 'position']

async function handleGetHistory(deps: HistoryDependencies, request: RequestOf<typeof getHistory>, reply: FastifyReply) {
  const { Kind, Id } = request.params
  const { $top, $skip, $inlinecount } = request.query
  const filter = await requireFilter(deps, request, Kind, Id)
  const record = { kind: Kind, id: Id }
  const { runs, entries, count } = await inSnapshot(deps.db, async (db) => {
    const runs = await listRecordRuns(db, record, { limit: $top + 1, skip: $skip })
    const entries = await versionsOf(db, record, runs.slice(0, $top), (version) => entryOf(version, filter))
    return { runs, entries, count: $inlinecount === 'AllPages' ? await countRecordRuns(db, record) : undefined }
  })
  if (filter === everything && runs.length === 0 && $skip === 0) throw notFound(`The history of ${Kind} ${Id}`)
  reply.header('cache-control', 'no-store')
  return feed({
    data: entries,
    count,
    next: nextPage(request, `${deps.baseUrl}${path}/${Kind}/${encodeURIComponent(Id)}`, runs.length > $top),
    maxRows: schema.maxRows,
  })
}

/** Operators see every record, also removed ones. */
async function requireFilter(
  deps: HistoryDependencies,
  request: FastifyRequest,
  kind: HistoryKind,
  id: string,
): Promise<FieldFilter> {
  if (forOperators.includes(kind)) {
    await operatorOf(deps, request)
    return everything
  }
  const caller = callerOf(request)
  const isTrusted = mayOperate(deps.environment, caller.appKey === deps.consoleKey)
  if (isTrusted && (await isOperator(deps.db, caller.UserKey))) return everything
  const filter = await deps.filterFor(caller, kind, id)
  if (!filter) throw notFound(`The history of ${kind} ${id}`)
  return filter
}
