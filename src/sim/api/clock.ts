import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../../access/caller.ts'
import { realTime, type TimeShift, wireTime } from '../../core/clock.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { type ClockDecision, decideChange, moveClock } from '../move-clock.ts'
import { describeClock } from '../rules/clock-change.ts'
import { controllerOf, mayControl } from './controls.ts'
import type { SimDependencies } from './dependencies.ts'
import { ClockBody, ClockView, TravelView } from './schema.ts'

const path = '/x/v1/clock'
const sessionNote =
  'The change affects all data, tokens, secrets and sign-ins on every node within a second; rate limits and delays stay on ' +
  "real time. Tokens that are expired or not yet valid at the new time are rejected. The caller's session moves with the " +
  'clock: the response has a new access token of it, and its refresh token keeps working. In the console, use the Sim page: ' +
  'a call from the API reader leaves it with the old token.'

export const getClock = operation({
  path,
  method: 'GET',
  operationId: 'getClock',
  summary: 'Get the clock',
  description: 'Returns the time of the service and real time. Both are the same until the clock is changed.',
  responses: { 200: ClockView },
})

export const changeClock = operation({
  path,
  method: 'PUT',
  operationId: 'changeClock',
  permission: 'changeClock',
  summary: 'Change the clock',
  description: `Sets the time of the service or moves it by some seconds, and stops or starts the clock. ${sessionNote}`,
  body: ClockBody,
  responses: { 200: TravelView },
  errors: ['RequestNotAllowed'],
})

export const resetClock = operation({
  path,
  method: 'DELETE',
  operationId: 'resetClock',
  permission: 'changeClock',
  summary: 'Reset the clock to real time',
  description: `Sets the time of the service back to real time. ${sessionNote}`,
  responses: { 200: TravelView },
  errors: ['RequestNotAllowed'],
})

export async function handleGetClock(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply) {
  const MayControl = await mayControl(deps, request)
  reply.header('cache-control', 'no-store')
  return { ...clockView(deps.clock.shift, deps.clock.real.now()), MayControl }
}

export function handleChangeClock(deps: SimDependencies, request: RequestOf<typeof changeClock>, reply: FastifyReply) {
  const { Now, AdvanceSeconds, Frozen } = request.body
  const change = { Now: Now === undefined ? undefined : Temporal.Instant.from(Now), AdvanceSeconds, Frozen }
  return travel(deps, request, reply, decideChange(change))
}

export function handleResetClock(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply) {
  return travel(deps, request, reply, () => realTime)
}

/** Changes the clock, the audit log and the caller's session in one transaction. This node follows before it responds. */
async function travel(deps: SimDependencies, request: FastifyRequest, reply: FastifyReply, decide: ClockDecision) {
  const { db, clock, feed, moveSession } = deps
  const caller = await controllerOf(deps, request)
  const { after, Session } = await db.transaction().execute(async (trx) => {
    const { after, ...times } = await moveClock(trx, clock, decide, { ...actorOf(request), app: caller.appKey })
    return { after, Session: await moveSession(trx, { caller, ...times }) }
  })
  await feed.poll()
  reply.header('cache-control', 'no-store')
  return { ...clockView(after, clock.real.now()), MayControl: true, Session }
}

function clockView(shift: TimeShift, real: Temporal.Instant) {
  const { now, isFrozen, offsetSeconds, isTravelled } = describeClock(shift, real)
  return {
    Now: wireTime(now),
    RealNow: wireTime(real),
    Frozen: isFrozen,
    OffsetSeconds: offsetSeconds,
    IsTravelled: isTravelled,
  }
}
