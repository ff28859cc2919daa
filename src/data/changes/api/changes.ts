import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../access/caller.ts'
import { type OperatorDependencies, operatorOf } from '../../../access/operator.ts'
import { isOperator } from '../../../access/store/identities.ts'
import type { Caller } from '../../../core/caller.ts'
import { Problem } from '../../../core/problem.ts'
import { mayOperate } from '../../../core/rights/permissions.ts'
import type { ChangeFeed } from '../../../database/changes.ts'
import { isInProcess } from '../../../http/in-process.ts'
import { addOperation, operation, type RequestOf } from '../../../http/operation.ts'
import { nextLink } from '../../../http/output/feed.ts'
import { lastEventId, sendEventStream } from '../../../http/streams/event-stream.ts'
import { OpenStreams, type StreamLimits } from '../../../http/streams/open-streams.ts'
import type { Server } from '../../../http/typed-server.ts'
import { historyKinds } from '../../history/kinds.ts'
import { readPage, requireCursor } from '../page.ts'
import { ChangeReader } from '../reader.ts'
import { formatCursor } from '../rules/cursor.ts'
import { publicKinds } from '../rules/shown.ts'
import { ChangeStream, readOnlyAfter } from '../stream.ts'
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
    'see; other kinds are for operators, in live only with a token of the console. With `Accept: text/event-stream`, changes are sent ' +
    'as they come, as events `change` whose id is the cursor: Last-Event-ID wins over `Since`. The stream ends with an event `end`: ' +
    'after a few minutes, when the session of the token ends, when the node closes, and if the reader takes nothing for a minute.',
  query: ChangesQuery,
  responses: { 200: ChangesResponse },
  errors: ['CursorExpired', 'LimitReached', 'RequestNotAllowed'],
  documented: { texts: ['text/event-stream'] },
})

export type ChangesDependencies = OperatorDependencies &
  Readonly<{
    baseUrl: string
    feed: ChangeFeed
    /** Whether a token is still valid. Fails if that cannot be known now. */
    isValid(authorization: string | undefined): Promise<boolean>
    /** Smaller ones in tests. */
    streamLimits?: Partial<StreamLimits>
    heldBy(caller: Caller): Promise<(assetType: string, uic: number) => boolean>
  }>

export function changeRoutes(api: Server, deps: ChangesDependencies): void {
  const streams = new OpenStreams({ idleMs: 60_000, ...deps.streamLimits })
  const all = { ...deps, changes: new ChangeReader(deps.db, deps.feed), streams }
  addOperation(api, listChanges, (request, reply) =>
    wantsStream(request) ? followChanges(all, request, reply) : handleListChanges(all, request, reply),
  )
  api.addHook('preClose', async () => streams.close())
}

const wantsStream = ({ headers }: FastifyRequest): boolean => /\btext\/event-stream\b/i.test(headers.accept ?? '')

type WithReader = ChangesDependencies & Readonly<{ changes: ChangeReader; streams: OpenStreams }>

async function handleListChanges(deps: WithReader, request: RequestOf<typeof listChanges>, reply: FastifyReply) {
  const { Kinds = historyKinds, $top } = request.query
  await requireKinds(deps, request, Kinds)
  const cursor = await requireCursor(deps.db, request.query.Since)
  const viewer = await viewerFor(deps, callerOf(request), Kinds)
  const page = await readPage((...place) => deps.changes.read(...place), viewer, cursor, $top)
  const Cursor = formatCursor(page.cursor)
  reply.header('cache-control', 'no-store')
  return {
    ...(page.hasMore && { __next: nextLink(`${deps.baseUrl}${path}`, request, { Since: Cursor }) }),
    Cursor,
    Data: page.entries.map(changeView),
    MaxRows: maxRows,
  }
}

async function followChanges(
  deps: WithReader,
  request: RequestOf<typeof listChanges>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isInProcess(request.raw)) throw new Problem('InvalidRequest', 'A stream cannot be a part of a batch.')
  const { Kinds = historyKinds, $top } = request.query
  await requireKinds(deps, request, Kinds)
  const lastId = lastEventId(request)
  const cursor =
    lastId === undefined
      ? await requireCursor(deps.db, request.query.Since)
      : await requireCursor(deps.db, lastId, 'Last-Event-ID')
  const caller = callerOf(request)
  const read = readOnlyAfter(deps.db, async (after) =>
    readPage((...place) => deps.changes.read(...place), await viewerFor(deps, caller, Kinds), after, $top),
  )
  const { authorization } = request.headers
  const live = deps.streams.open({
    reader: caller.UserKey,
    findEnding: async () => ((await deps.isValid(authorization)) ? undefined : 'signed out'),
    make: () => new ChangeStream(cursor, read),
  })
  live.once(
    'close',
    deps.changes.follow(() => live.wake()),
  )
  return sendEventStream(request, reply, live)
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
  const isTrusted = mayOperate(deps.environment, caller.appKey === deps.consoleKey)
  const isAll = isTrusted && (await isOperator(deps.db, caller.UserKey))
  return isAll ? everything(kinds) : viewerOf(deps, caller, kinds)
}
