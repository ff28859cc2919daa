import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { writerOf } from '../../access/caller.ts'
import { appendAudit } from '../../audit/append.ts'
import { realTime } from '../../core/clock.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import { describe, oneOf } from '../../core/schema.ts'
import { lockImport } from '../../database/staging/copy.ts'
import type { Server } from '../../http/typed-server.ts'
import { lockShift, writeShift } from '../store/clock.ts'
import { announceEverything, readRevision, removeEverything } from '../store/reset.ts'
import { SessionView } from './clock-schema.ts'
import type { SimParts } from './routes.ts'

const ResetBody = Type.Object(
  { Confirm: describe(oneOf('reset'), 'That it is meant.') },
  {
    title: 'ResetRequest',
    examples: [{ Confirm: 'reset' }],
    additionalProperties: false,
    description: 'To be sent as it is: what is removed does not come back.',
  },
)
const ResetView = Type.Object(
  {
    Revision: Type.Integer({ description: 'Of the reference data as it is now.' }),
    Session: Type.Optional(SessionView),
  },
  { title: 'ResetResult', examples: [{ Revision: 2 }] },
)

/** Longer than any catalogue of the demo takes to build; what is served then follows by itself. */
const mostWaitMs = 10_000

/** Everything back to the demo data, as of today in real time. */
export function resetRoutes(api: Server, parts: SimParts): void {
  api.post(
    '/x/v1/reset',
    {
      schema: {
        operationId: 'resetData',
        summary: 'Removes all data and loads the demo data anew, as of today',
        description:
          'Clients, users, accounts, rights, positions, events, instruments, apps, sessions, calendars and faults go, and the ' +
          'clock is back at real time; the audit log stays. The answer has a new session where the user of the token is ' +
          'there again. Only where the demo data is in use (DEMO=on). In the console use its page Sim: tried by the API ' +
          'reader, this ends the session that the reader has.',
        tags: ['x'],
        documented: { errors: ['RequestNotAllowed', 'NoDemoData'] },
        body: ResetBody,
        response: { 200: ResetView },
      },
    },
    async (request, reply) => {
      writerOf(request)
      if (!parts.hasDemo)
        throw new Problem(
          'NoDemoData',
          'This service runs without the demo data (DEMO=off), so there is none to go back to.',
        )
      const answer = await alone(() => reset(parts, request))
      await parts.feed.poll()
      await Promise.race([parts.servesRevision(answer.Revision), sleep(mostWaitMs, undefined, { ref: false })])
      reply.header('cache-control', 'no-store')
      return answer
    },
  )
}

let isUnderWay = false

/** One at a time on a node: the data is made before the transaction, and making it leaves no time for others. */
async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isUnderWay) throw unavailable(3)
  isUnderWay = true
  try {
    return await work()
  } finally {
    isUnderWay = false
  }
}

/** In one transaction: whoever reads meanwhile sees the old data or the new. Two at once come one after the other, and
 *  an import that is under way is waited for; for both not longer than for any lock. */
async function reset({ db, clock, masterKey, holdSession }: SimParts, request: FastifyRequest) {
  const caller = writerOf(request)
  const { readDemoRecords, writeDemo } = await import('../demo/load.ts')
  const real = clock.real.now()
  const demo = await readDemoRecords(real)
  return db.transaction().execute(async (trx) => {
    await lockImport(trx)
    await lockShift(trx)
    const resume = await holdSession(trx, caller, request)
    const at = clock.now()
    await announceEverything(trx)
    await removeEverything(trx)
    await writeDemo(trx, masterKey, demo, real)
    await writeShift(trx, realTime)
    const Revision = await readRevision(trx)
    await appendAudit(trx, {
      at,
      kind: 'DataReset',
      user: caller.UserKey,
      app: caller.appKey,
      session: caller.sessionId,
      address: request.ip,
      detail: { revision: Revision },
    })
    const Session = await resume(real)
    return { Revision, ...(Session && { Session }) }
  })
}
