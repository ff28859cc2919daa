import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isCommitUncertain, isOutage } from '../../core/network/outage.ts'
import { Problem } from '../../core/problem.ts'
import { noteFacts } from '../../http/request-log/facts.ts'
import { texts } from '../pages/texts.ts'
import { OAuthProblem } from '../problem.ts'
import { findRefusal, type Refusal } from '../rules/reasons.ts'

/** Any error as an OAuth error. A bug is logged, and its response says nothing about it. */
export function toOAuthProblem(error: unknown, request: FastifyRequest): OAuthProblem {
  if (error instanceof OAuthProblem) return error
  const known = error instanceof Problem ? error : undefined
  if (known?.code === 'ServiceUnavailable' || isOutage(error)) {
    const headers = known?.headers ?? { 'retry-after': '1' }
    // Retry-After even if the commit is uncertain: a refresh is answered again, and a spent code grants nothing more.
    const outcome = isCommitUncertain(error)
      ? 'The connection to the database was lost during the commit.'
      : 'Nothing was changed.'
    return new OAuthProblem('temporarily_unavailable', `${outcome} Try again shortly.`, { headers })
  }
  const status = known?.status ?? (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new OAuthProblem('invalid_request', (error as Error).message, { status, headers: known?.headers ?? {} })
  request.log.error({ err: error }, 'authorization server failed')
  return new OAuthProblem('server_error', 'Internal error. Try again; the log of the service has the cause.')
}

/** Turns errors of /token, /revoke and /introspect into responses (RFC 6749 §5.2). */
export function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toOAuthProblem(error, request)
  const { reason = problem.message } = problem
  request.log.info({ error: problem.error, reason }, 'OAuth request rejected')
  noteFacts(request, { reason: { code: problem.error, message: reason } })
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, ...neverStored, 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ error: problem.error, error_description: problem.message }))
}

export const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** A rejection by the authorization server, as the request log has it (§11.9); undefined if it is none. */
export function explainRefusal(path: string, code: string, text: string): Refusal | undefined {
  const page = Object.entries(texts.en.errors).find(([cause]) => cause === code)?.[1]
  if (page) return { section: '§4.8', text: page.sentence, advice: page.developers }
  return findRefusal(path, code, text)
}
