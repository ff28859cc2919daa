import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { amountsOf } from '../rules/elections/bulk-amounts.ts'
import { type ElectionDependencies, elect } from './elect.ts'
import type { BulkElection, BulkResult } from './schema.ts'

/** Elects the same shares for several accounts, one after the other. What concerns all of them fails the call. */
export async function electInBulk(
  deps: ElectionDependencies,
  request: FastifyRequest,
  { EventId, Accounts, Options }: BulkElection,
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const { AccountKey } of Accounts) {
    const asked = { EventId, AccountKey, optionsOf: amountsOf.bind(undefined, Options) }
    try {
      await elect(deps, request, asked)
      results.push({ AccountKey, Status: 'Accepted' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || error.status === 403) throw error
      const { code, message, modelState } = error
      const reasons = { ErrorCode: code, ErrorMessage: message, ...(modelState && { ModelState: modelState }) }
      results.push({ AccountKey, Status: 'Rejected', ...reasons })
    }
  }
  return results
}
