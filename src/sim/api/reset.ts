import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actorOf } from '../../access/caller.ts'
import { unavailable } from '../../core/problem.ts'
import { describe, oneOf } from '../../core/schema.ts'
import type { Trx } from '../../database/open.ts'
import { operation } from '../../http/operation.ts'
import { resetToDemo } from '../reset.ts'
import { controllerOf } from './controls.ts'
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
  permission: 'changeSim',
  summary: 'Reset to the demo data',
  description:
    'Removes all clients, users, accounts, rights, positions, events, instruments, apps, sessions, calendars and faults, loads the ' +
    'demo data as of today and sets the clock to real time; the audit log stays. Users of the demo keep their password and ' +
    "whether they are disabled or operators; operators of the demo's clients stay. The caller's session continues if its user " +
    'and app exist afterwards: the response has a new access token of it. Only on a database that the demo filled ' +
    '(DEMO=on); imported data is never removed. In the console, use the Sim page: a call from the API reader leaves it with ' +
    'the old token.',
  body: ResetBody,
  responses: { 200: ResetView },
  errors: ['RequestNotAllowed', 'NoDemoData', 'ImportedData'],
})

/** Building the catalogue of the demo takes less; otherwise the node follows after the response. */
const maxWaitMs = 10_000

export async function handleResetData(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply) {
  const caller = await controllerOf(deps, request)
  const audit = { ...actorOf(request), app: caller.appKey }
  const keep = (trx: Trx) => deps.holdSession(trx, caller)
  const { Revision, kept: Session } = await alone(() => resetToDemo({ ...deps, mayRemoveImported: false, audit, keep }))
  await deps.feed.poll()
  await Promise.race([deps.servesRevision(Revision), sleep(maxWaitMs, undefined, { ref: false })])
  reply.header('cache-control', 'no-store')
  return { Revision, ...(Session && { Session }) }
}

let isRunning = false

/** One reset at a time per node: a second one would read the demo data too, and then only wait for the first. */
async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRunning) throw unavailable(3)
  isRunning = true
  try {
    return await work()
  } finally {
    isRunning = false
  }
}
