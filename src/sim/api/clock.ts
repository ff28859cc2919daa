import type { FastifyReply, FastifyRequest } from 'fastify'
import { writerOf } from '../../access/caller.ts'
import { appendAudit } from '../../audit/append.ts'
import { applyShift, realTime, type TimeShift, wireTime } from '../../core/clock.ts'
import { invalid } from '../../core/problem.ts'
import type { Server } from '../../http/typed-server.ts'
import { changedShift, clockFacts, clockFaults } from '../rules/clock-change.ts'
import { lockShift, writeShift } from '../store/clock.ts'
import { ClockBody, ClockView, TravelView } from './clock-schema.ts'
import type { SimParts } from './routes.ts'

const path = '/x/v1/clock'
const tags = ['x']
const documented = { errors: ['RequestNotAllowed'] } as const
const sessionNote =
  'In the console use its page Sim: tried by the API reader, this ends the session that the reader has. ' +
  'One clock for all data, tokens, secrets and sign-ins, on every node within a second; rate limits and waits stay on real ' +
  'time. Tokens that have ended by then, or are from a later time, are refused; the answer has a session of the new time.'

/** Travel in time (contract §1): what the service takes for now. */
export function clockRoutes(api: Server, parts: SimParts): void {
  const { clock } = parts

  api.get(
    path,
    {
      schema: {
        operationId: 'getClock',
        summary: 'The time at which the service lives, and real time',
        description: 'Both are the same unless somebody has travelled.',
        tags,
        response: { 200: ClockView },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return clockView(clock.shift, clock.real.now())
    },
  )

  api.put(
    path,
    {
      schema: {
        operationId: 'changeClock',
        summary: 'Travels in time: to a moment or by some seconds, and freezes time or lets it run',
        description: sessionNote,
        tags,
        documented,
        body: ClockBody,
        response: { 200: TravelView },
      },
    },
    async (request, reply) => {
      const { Now, AdvanceSeconds, Frozen } = request.body
      const change = { Now: Now === undefined ? undefined : Temporal.Instant.from(Now), AdvanceSeconds, Frozen }
      return travel(parts, request, reply, (shift, real) => {
        const faults = clockFaults(change, shift, real)
        if (Object.keys(faults).length > 0) throw invalid(faults)
        return changedShift(change, shift, real)
      })
    },
  )

  api.delete(
    path,
    {
      schema: {
        operationId: 'resetClock',
        summary: 'Back to real time',
        description: sessionNote,
        tags,
        documented,
        response: { 200: TravelView },
      },
    },
    async (request, reply) => travel(parts, request, reply, () => realTime),
  )
}

/** The clock, the log and the traveller's sessions change together or not at all; this node knows of it when it answers. */
async function travel(
  { db, clock, feed, renewSession }: SimParts,
  request: FastifyRequest,
  reply: FastifyReply,
  decide: (shift: TimeShift, real: Temporal.Instant) => TimeShift,
) {
  const caller = writerOf(request)
  const { after, Session } = await db.transaction().execute(async (trx) => {
    const before = await lockShift(trx)
    const real = clock.real.now()
    const after = decide(before, real)
    const [from, to] = [applyShift(before, real), applyShift(after, real)]
    await writeShift(trx, after)
    await appendAudit(trx, {
      at: from,
      kind: 'ClockChanged',
      user: caller.UserKey,
      app: caller.appKey,
      session: caller.sessionId,
      address: request.ip,
      detail: { from: wireTime(from), to: wireTime(to), frozen: after.frozenAt !== undefined },
    })
    return { after, Session: await renewSession(trx, caller, request, to) }
  })
  await feed.poll()
  reply.header('cache-control', 'no-store')
  return { ...clockView(after, clock.real.now()), Session }
}

function clockView(shift: TimeShift, real: Temporal.Instant) {
  const { now, isFrozen, offsetSeconds, isTravelled } = clockFacts(shift, real)
  return {
    Now: wireTime(now),
    RealNow: wireTime(real),
    Frozen: isFrozen,
    OffsetSeconds: offsetSeconds,
    IsTravelled: isTravelled,
  }
}
