import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actorOf, writerOf } from '../../access/caller.ts'
import { appendAudit } from '../../audit/append.ts'
import { realTime } from '../../core/clock.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import { describe, oneOf } from '../../core/schema.ts'
import { lockImport } from '../../database/staging/copy.ts'
import { operation } from '../../http/operation.ts'
import { lockShift, writeShift } from '../store/clock.ts'
import { announceEverything, readRevision, removeEverything } from '../store/reset.ts'
import type { SimDependencies } from './dependencies.ts'
import { SessionView } from './schema.ts'

const ResetBody = Type.Object(
  { Confirm: describe(oneOf('reset'), 'Must be `reset`.') },
  {
    title: 'ResetRequest',
    examples: [{ Confirm: 'reset' }],
    additionalProperties: false,
    description: 'A confirmation: removed data cannot be restored.',
  },
)
const ResetView = Type.Object(
  {
    Revision: Type.Integer({ description: 'The new revision of the reference data.' }),
    Session: Type.Optional(SessionView),
  },
  { title: 'ResetResult', examples: [{ Revision: 2 }] },
)

export const resetData = operation({
  method: 'POST',
  path: '/x/v1/reset',
  operationId: 'resetData',
  summary: 'Reset to the demo data',
  description:
    'Removes all clients, users, accounts, rights, positions, events, instruments, apps, sessions, calendars and faults, loads the ' +
    'demo data as of today and sets the clock to real time; the audit log stays. The session of the caller continues if its ' +
    'user and app exist in the demo data: the response has a new access token of it. Only with demo data (DEMO=on). In the ' +
    'console, use the Sim page: a call from the API reader leaves it with the old token.',
  body: ResetBody,
  responses: { 200: ResetView },
  errors: ['RequestNotAllowed', 'NoDemoData'],
})

/** Building the catalogue of the demo takes less; otherwise the node follows after the response. */
const maxWaitMs = 10_000

export async function handleResetData(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply) {
  writerOf(request)
  if (!deps.hasDemo)
    throw new Problem('NoDemoData', 'This service runs without demo data (DEMO=off), so it cannot be reset to it.')
  const result = await alone(() => reset(deps, request))
  await deps.feed.poll()
  await Promise.race([deps.servesRevision(result.Revision), sleep(maxWaitMs, undefined, { ref: false })])
  reply.header('cache-control', 'no-store')
  return result
}

let isRunning = false

/** One reset at a time per node: reading the demo data keeps the event loop busy. */
async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRunning) throw unavailable(3)
  isRunning = true
  try {
    return await work()
  } finally {
    isRunning = false
  }
}

/** One transaction, so readers see either the old or the new data. Waits for a running import or another reset. */
async function reset({ db, clock, masterKey, holdSession }: SimDependencies, request: FastifyRequest) {
  const caller = writerOf(request)
  const { readDemoRecords, writeDemo } = await import('../demo/load.ts')
  const real = clock.real.now()
  const records = await readDemoRecords(real)
  return db.transaction().execute(async (trx) => {
    await lockImport(trx)
    await lockShift(trx)
    const resume = await holdSession(trx, caller)
    const at = clock.now()
    await announceEverything(trx)
    await removeEverything(trx)
    await writeDemo(trx, masterKey, records, real)
    await writeShift(trx, realTime)
    const Revision = await readRevision(trx)
    const detail = { revision: Revision }
    await appendAudit(trx, { at, kind: 'DataReset', ...actorOf(request), app: caller.appKey, detail })
    const Session = await resume({ from: at, to: real })
    return { Revision, ...(Session && { Session }) }
  })
}
