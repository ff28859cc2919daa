import type { FastifyRequest } from 'fastify'
import { callerOf, writerOf } from '../../access/caller.ts'
import { isOperator } from '../../access/store/identities.ts'
import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import type { SimDependencies } from './dependencies.ts'

/** Returns the caller of an operation that affects every user. With SIM_CONTROLS=operators others are rejected. */
export async function controllerOf(deps: SimDependencies, request: FastifyRequest): Promise<Caller> {
  const caller = writerOf(request)
  if (await mayControl(deps, request)) return caller
  throw new Problem(
    'RequestNotAllowed',
    'Only operators may change the clock, inject faults, load scenarios, set positions, reset this service and use its snapshots ' +
      '(SIM_CONTROLS=operators). A user is an operator after: refdesk users operator NAME',
  )
}

export async function mayControl({ db, controls }: SimDependencies, request: FastifyRequest): Promise<boolean> {
  const { mayWrite, UserKey } = callerOf(request)
  return mayWrite && (controls === 'everyone' || (await isOperator(db, UserKey)))
}
