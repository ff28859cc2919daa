import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actorOf } from '../../access/caller.ts'
import { FairQueue } from '../../core/async/fair-queue.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { FeedOf, feed } from '../../http/output/feed.ts'
import { maxSnapshots, namePattern, nameRule } from '../rules/snapshot.ts'
import { removeSnapshot, restoreSnapshot, saveSnapshot } from '../snapshots.ts'
import { listSnapshots } from '../store/snapshots.ts'
import { controllerOf } from './controls.ts'
import type { SimDependencies } from './dependencies.ts'
import { example, RestoredView, SnapshotView, snapshotView } from './snapshot-schema.ts'

const path = '/x/v1/snapshots'

const SnapshotParams = Type.Object({
  Name: Type.String({
    pattern: namePattern,
    description: `The name of the snapshot. ${nameRule}`,
    examples: [example],
  }),
})

export const listSnapshotsOperation = operation({
  method: 'GET',
  path,
  operationId: 'listSnapshots',
  permission: 'changeSim',
  summary: 'List snapshots',
  description: 'Returns the saved snapshots, oldest first. All users share them.',
  responses: { 200: FeedOf(SnapshotView) },
  errors: ['RequestNotAllowed'],
})

export const saveSnapshotOperation = operation({
  method: 'PUT',
  path: `${path}/:Name`,
  operationId: 'saveSnapshot',
  permission: 'changeSim',
  summary: 'Save a snapshot',
  description:
    'Saves all data, apps, users, positions, elections, sessions, tokens and the clock under a name. Replaces the snapshot ' +
    `that has the name. There are at most ${maxSnapshots}.`,
  params: SnapshotParams,
  responses: { 200: SnapshotView },
  errors: ['RequestNotAllowed', 'LimitReached'],
})

export const restoreSnapshotOperation = operation({
  method: 'POST',
  path: `${path}/:Name/restore`,
  operationId: 'restoreSnapshot',
  permission: 'changeSim',
  summary: 'Restore a snapshot',
  description:
    'Makes everything what it was when the snapshot was saved, for every user and on every node: all or nothing. The clock ' +
    'goes on from the time of the snapshot. Sessions and tokens of before the snapshot work, also if they have ended since; ' +
    "those made after it do not, including the caller's. The audit log, signing keys, who is an operator and the passwords " +
    'of operators stay.',
  params: SnapshotParams,
  responses: { 200: RestoredView },
  errors: ['RequestNotAllowed', 'NoResultFound', 'OtherVersion'],
})

export const deleteSnapshotOperation = operation({
  method: 'DELETE',
  path: `${path}/:Name`,
  operationId: 'deleteSnapshot',
  permission: 'changeSim',
  summary: 'Delete a snapshot',
  description: 'Deletes a snapshot. The data of the service stays as it is.',
  params: SnapshotParams,
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

export async function handleListSnapshots(deps: SimDependencies, request: FastifyRequest) {
  await controllerOf(deps, request)
  return feed({ data: (await listSnapshots(deps.db)).map(snapshotView) })
}

export async function handleSaveSnapshot(deps: SimDependencies, request: RequestOf<typeof saveSnapshotOperation>) {
  return snapshotView(await saveSnapshot(await callOf(deps, request)))
}

/** A change of much reference data takes longer on a busy machine; then the node follows after the response. */
const maxWaitMs = 10_000
/** Each restore holds a connection, mostly to wait for locks: one at a time per node, users in turn. */
const queue = new FairQueue(1, 20)

export async function handleRestoreSnapshot(
  deps: SimDependencies,
  request: RequestOf<typeof restoreSnapshotOperation>,
  reply: FastifyReply,
) {
  const call = await callOf(deps, request)
  const { sessionId, UserKey } = await controllerOf(deps, request)
  const restore = () => restoreSnapshot(call, (trx) => deps.isSessionAlive(trx, sessionId))
  const { snapshot, revision, kept } = await queue.run(UserKey, restore)
  await deps.feed.poll()
  await Promise.race([deps.servesRevision(revision), sleep(maxWaitMs, undefined, { ref: false })])
  reply.header('cache-control', 'no-store')
  return { ...snapshotView(snapshot), Revision: revision, IsSessionKept: kept }
}

export async function handleDeleteSnapshot(
  deps: SimDependencies,
  request: RequestOf<typeof deleteSnapshotOperation>,
  reply: FastifyReply,
) {
  await removeSnapshot(await callOf(deps, request))
  return reply.code(204).send()
}

async function callOf(deps: SimDependencies, request: RequestOf<typeof saveSnapshotOperation>) {
  const { appKey } = await controllerOf(deps, request)
  const { db, clock } = deps
  return { db, clock, name: request.params.Name, audit: { ...actorOf(request), app: appKey } }
}
