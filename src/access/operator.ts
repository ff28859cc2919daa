import type { FastifyRequest } from 'fastify'
import type { Caller } from '../core/caller.ts'
import type { Environment } from '../core/environment.ts'
import { Problem } from '../core/problem.ts'
import { mayOperate } from '../core/rights/permissions.ts'
import type { Db } from '../database/open.ts'
import { callerOf } from './caller.ts'
import { isOperator } from './store/identities.ts'

export type OperatorDependencies = Readonly<{
  db: Db
  environment: Environment
  /** The AppKey of the console. */
  consoleKey: string
}>

/** Returns the caller if the user is an operator. In live the token must be one of the console: an app that an operator
 *  signs in to must not get at the data of all clients. */
export async function operatorOf(deps: OperatorDependencies, request: FastifyRequest): Promise<Caller> {
  const caller = callerOf(request)
  if (!(await isOperator(deps.db, caller.UserKey)))
    throw new Problem(
      'RequestNotAllowed',
      'Only operators may do this. A user is an operator after: refdesk users operator NAME',
    )
  if (!mayOperate(deps.environment, caller.appKey === deps.consoleKey))
    throw new Problem('RequestNotAllowed', 'In live, operators do this in the console. Tokens of other apps may not.')
  return caller
}
