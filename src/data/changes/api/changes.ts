import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../access/caller.ts'
import { type OperatorDependencies, operatorOf } from '../../../access/operator.ts'
import { isOperator } from '../../../access/store/identities.ts'
import type { Caller } from '../../../core/caller.ts'
import type { ChangeFeed } from '../../../database/changes.ts'
import { sentQuery } from '../../../http/input/query.ts'
import { addOperation, operation, type RequestOf } from '../../../http/operation.ts'
import { nextLink } from '../../../http/output/feed.ts'
import type { Server } from '../../../http/typed-server.ts'
import { historyKinds } from '../../history/kinds.ts'
import { readPage, requireCursor } from '../page.ts'
import { ChangeReader } from '../reader.ts'
import { formatCursor } from '../rules/cursor.ts'
import { publicKinds } from '../rules/shown.ts'
import { everything, type Viewer, viewerOf } from '../viewer.ts'
import { ChangesQuery, ChangesResponse, maxRows } from './schema.ts'
import { changeView } from './view.ts'

const path = '/x/v1/changes'

export const listChanges = operation({
  method: 'GET',
  path,
  operationId: 'listChanges',
  summary: 'List changes of the data',
  description:
    'Returns what has changed after a cursor, in the order of the changes: which record, and which of its fields, never values. A ' +
    'cursor neither skips nor repeats a change. Callers see changes of the instruments, option roots, exchanges and events that they may ' +
    'see; other kinds are for operators, in live only with a token of the console.',
  query: ChangesQuery,
  responses: { 200: ChangesResponse },
  errors: ['CursorExpired', 'RequestNotAllowed'],
})

export type ChangesDependencies = OperatorDependencies &
  Readonly<{
    baseUrl: string
    feed: ChangeFeed
    /** Whether a token is still valid. Fails if that cannot be known now. */
    isValid(authorization: string | undefined): Promise<boolean>
    heldBy(caller: Caller): Promise<(assetType: string, uic: number) => boolean>
  }>

export function changeRoutes(api: Server, deps: ChangesDependencies): void {
  const changes = new ChangeReader(deps.db, deps.feed)
  addOperation(api, listChanges, (request, reply) => handleListChanges({ ...deps, changes }, request, reply))
}

type WithReader = ChangesDependencies & Readonly<{ changes: ChangeReader }>

async function handleListChanges(deps: WithReader, request: RequestOf<typeof listChanges>, reply: FastifyReply) {
  const { Since, Kinds = historyKinds, $top } = request.query
  await requireKinds(deps, request, Kinds)
  const cursor = await requireCursor(deps.db, Since)
  const viewer = await viewerFor(deps, callerOf(request), Kinds)
  const page = await readPage((...place) => deps.changes.read(...place), viewer, cursor, $top)
  const Cursor = formatCursor(page.cursor)
  const { Since: _, ...query } = sentQuery(request)
  reply.header('cache-control', 'no-store')
  return {
    ...(page.hasMore && { __next: nextLink(`${deps.baseUrl}${path}`, query, { Since: Cursor }) }),
    Cursor,
    Data: page.entries.map(changeView),
    MaxRows: maxRows,
  }
}

const isPublic = (kind: string): boolean => (publicKinds as readonly string[]).includes(kind)

/** Kinds that only operators may read are rejected if they are named. */
async function requireKinds(
  deps: ChangesDependencies,
  request: RequestOf<typeof listChanges>,
  kinds: readonly string[],
): Promise<void> {
  if (request.query.Kinds && !kinds.every(isPublic)) await operatorOf(deps, request as FastifyRequest)
}

/** Operators see everything; in live only in the console. */
export async function viewerFor(deps: ChangesDependencies, caller: Caller, kinds: readonly string[]): Promise<Viewer> {
  const isTrusted = deps.environment === 'sim' || caller.appKey === deps.consoleKey
  const isAll = isTrusted && (await isOperator(deps.db, caller.UserKey))
  return isAll ? everything(kinds) : viewerOf(deps, caller, kinds)
}
