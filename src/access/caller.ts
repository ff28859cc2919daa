import type { FastifyRequest } from 'fastify'
import type { Caller } from '../core/caller.ts'
import { Problem, readOnlyToken } from '../core/problem.ts'
import { allows } from '../core/rights/permissions.ts'

/** Returns the caller. Routes in the REST scope always have one. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (!request.caller) throw new Problem('Unauthorized', 'Send an access token.')
  return request.caller
}

export function actorOf(request: FastifyRequest) {
  const { UserKey, sessionId } = callerOf(request)
  return { user: UserKey, session: sessionId, address: request.ip }
}

/** Returns the caller of an operation that needs a permission. A token without it is rejected. */
export function writerOf(request: FastifyRequest): Caller {
  const caller = callerOf(request)
  const { permission } = request.routeOptions.config
  if (!permission) throw new Error(`${request.routeOptions.url} declares no permission.`)
  if (allows(caller, permission)) return caller
  throw readOnlyToken()
}
