import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { toProblem } from '../../http/errors.ts'
import { amountsOf } from '../rules/elections/bulk-amounts.ts'
import { type ElectionDependencies, elect, electorOf } from './elect.ts'
import type { BulkElection, BulkResult } from './schema.ts'

/** Elects the same shares for several accounts, one after the other. An outage fails the call only if nothing was elected:
 *  otherwise the rows say what was. */
export async function electInBulk(
  deps: ElectionDependencies,
  request: FastifyRequest,
  { EventId, Accounts, Options }: BulkElection,
): Promise<BulkResult[]> {
  const by = electorOf(request)
  const results: BulkResult[] = []
  for (const { AccountKey } of Accounts) {
    const asked = { EventId, AccountKey, optionsOf: amountsOf.bind(undefined, Options) }
    try {
      await elect(deps, by, asked)
      results.push({ AccountKey, Status: 'Accepted' })
    } catch (error) {
      const { code, message, modelState, status } = error instanceof Problem ? error : toProblem(error)
      const isOfCall = status >= 500 || status === 401 || status === 403
      if (isOfCall && !results.some(({ Status }) => Status === 'Accepted')) throw error
      if (code === 'InternalError') request.log.error({ err: error }, 'unexpected error')
      const reasons = { ErrorCode: code, ErrorMessage: message, ...(modelState && { ModelState: modelState }) }
      results.push({ AccountKey, Status: 'Rejected', ...reasons })
    }
  }
  return results
}
