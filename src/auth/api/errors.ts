import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isCommitUncertain, isOutage } from '../../core/network/outage.ts'
import { Problem } from '../../core/problem.ts'
import { OAuthProblem } from '../problem.ts'

/** Whatever went wrong, as a refusal of the authorization server. What is a bug is logged and told as nothing more. */
export function toOAuthProblem(error: unknown, request: FastifyRequest): OAuthProblem {
  if (error instanceof OAuthProblem) return error
  const unavailable = error instanceof Problem && error.code === 'ServiceUnavailable'
  if (unavailable || isOutage(error)) {
    const headers = error instanceof Problem ? error.headers : { 'retry-after': '1' }
    // Also after a lost commit: a refresh that was done is answered again, and a code that was taken gives nothing more.
    const done = isCommitUncertain(error)
      ? 'The database went away while this was being saved.'
      : 'Nothing was changed.'
    return new OAuthProblem('temporarily_unavailable', `${done} Try again shortly.`, { headers })
  }
  const status = error instanceof Problem ? error.status : (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    const headers = error instanceof Problem ? error.headers : {}
    return new OAuthProblem('invalid_request', (error as Error).message, { status, headers })
  }
  request.log.error({ err: error }, 'authorization server failed')
  return new OAuthProblem('server_error', 'Something went wrong here. Try again; the log knows more.')
}

/** The one place that turns a refusal of /token, /revoke and /introspect into HTTP (RFC 6749 §5.2). */
export function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toOAuthProblem(error, request)
  const { reason = problem.message } = problem
  request.log.info({ error: problem.error, reason }, 'refused')
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, ...neverStored, 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ error: problem.error, error_description: problem.message }))
}

export const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' }
