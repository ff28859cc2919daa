import type { FastifyReply, FastifyRequest } from 'fastify'
import { writerOf } from '../../access/caller.ts'
import { operatorOf } from '../../access/operator.ts'
import { Problem } from '../../core/problem.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { readRunRecords } from '../history/run-records.ts'
import { findRunRow, listRuns, type RunRow } from '../store/runs.ts'
import { addUpload } from '../store/uploads.ts'
import { ImportView } from './import-schema.ts'
import { findOwn, type ImportDependencies, start, viewOf } from './imports.ts'
import * as schema from './run-schema.ts'

export type RunDependencies = ImportDependencies & Readonly<{ baseUrl: string }>

const path = '/x/v1/runs'
const who = 'Only for operators; in live only with a token of the console.'

export const listAllRuns = operation({
  method: 'GET',
  path,
  operationId: 'listRuns',
  summary: 'List the runs that changed the data',
  description: `Returns imports, their undoing, scenarios and commands that changed records, newest first. ${who}`,
  query: schema.RunsQuery,
  responses: { 200: schema.RunFeed },
  errors: ['RequestNotAllowed'],
})

export const getRun = operation({
  method: 'GET',
  path: `${path}/:Run`,
  operationId: 'getRun',
  summary: 'Get a run',
  description: `Returns what a run changed, by kind, and whether it was undone. ${who}`,
  params: schema.RunParams,
  responses: { 200: schema.RunView },
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

export const getRunRecords = operation({
  method: 'GET',
  path: `${path}/:Run/records`,
  operationId: 'listRunRecords',
  summary: 'List the records that a run changed',
  description:
    'Returns records in the order in which the run changed them, with the fields that differ. Apps have no history and are not listed. ' +
    who,
  params: schema.RunParams,
  query: schema.RunRecordsQuery,
  responses: { 200: schema.RunRecordFeed },
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

export const undoRun = operation({
  method: 'POST',
  path: `${path}/:Run/undo`,
  operationId: 'undoRun',
  permission: 'importData',
  summary: 'Check what undoing a run would change',
  description:
    'Makes an import that brings back the records of before the run and removes those that it added, and begins to check it: nothing ' +
    `is changed. Its Changes, Errors and Notes say what will happen when it is applied (POST /x/v1/imports/{ImportId}/apply). ${who}`,
  params: schema.RunParams,
  responses: { 201: ImportView },
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

export function runRoutes(api: Server, deps: RunDependencies): void {
  addOperation(api, listAllRuns, (request, reply) => handleListRuns(deps, request, reply))
  addOperation(api, getRun, (request, reply) => handleGetRun(deps, request, reply))
  addOperation(api, getRunRecords, (request, reply) => handleListRecords(deps, request, reply))
  addOperation(api, undoRun, (request, reply) => handleUndo(deps, request, reply))
}

/** The address of the next page, if there are more rows than were asked for. */
const nextAfter = (request: FastifyRequest, address: string, cursor: number | undefined): string | undefined =>
  cursor === undefined ? undefined : nextLink(address, request, { $skiptoken: String(cursor) })

async function handleListRuns(deps: RunDependencies, request: RequestOf<typeof listAllRuns>, reply: FastifyReply) {
  await operatorOf(deps, request)
  const { $top, $skiptoken } = request.query
  const rows = await listRuns(deps.db, { limit: $top + 1, before: $skiptoken })
  const last = rows.length > $top ? rows[$top - 1]?.run : undefined
  reply.header('cache-control', 'no-store')
  return feed({
    data: rows.slice(0, $top).map(schema.runView),
    next: nextAfter(request, `${deps.baseUrl}${path}`, last),
    maxRows: schema.maxRuns,
  })
}

async function requireRun({ db }: RunDependencies, run: number): Promise<RunRow> {
  const found = await findRunRow(db, run)
  if (!found) throw new Problem('NoResultFound', `Run ${run} does not exist, or is no longer in the history.`)
  return found
}

async function handleGetRun(deps: RunDependencies, request: RequestOf<typeof getRun>, reply: FastifyReply) {
  await operatorOf(deps, request)
  reply.header('cache-control', 'no-store')
  return schema.runView(await requireRun(deps, request.params.Run))
}

async function handleListRecords(deps: RunDependencies, request: RequestOf<typeof getRunRecords>, reply: FastifyReply) {
  await operatorOf(deps, request)
  const run = await requireRun(deps, request.params.Run)
  const { Kind, $top, $skiptoken = 0 } = request.query
  const { records, next } = await readRunRecords(deps.db, run, { kind: Kind, after: $skiptoken, limit: $top })
  reply.header('cache-control', 'no-store')
  return feed({
    data: records,
    next: nextAfter(request, `${deps.baseUrl}${path}/${run.run}/records`, next),
    maxRows: schema.maxRecords,
  })
}

async function handleUndo(deps: RunDependencies, request: RequestOf<typeof undoRun>, reply: FastifyReply) {
  writerOf(request)
  const { UserKey } = await operatorOf(deps, request)
  const { run } = await requireRun(deps, request.params.Run)
  const importId = await deps.db.transaction().execute((trx) => addUpload(trx, UserKey, [], run))
  const upload = await findOwn(deps, UserKey, importId)
  // If another import is running, it waits to be checked.
  return reply.code(201).send(await viewOf(deps, (await start(deps, request, upload, 'check')) ?? upload))
}
