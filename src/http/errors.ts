import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCommitUncertain, isOutage } from '../core/network/outage.ts'
import { Problem, type ProblemCode, unavailable, uncertain, wireCodes } from '../core/problem.ts'
import type { WireProfile } from '../core/wire-profile.ts'

/** Refusals of the framework itself, as rows of contract §3. */
const frameworkProblems: Record<string, readonly [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['InvalidMediaTypeHeader', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['RequestTooLarge', 'The body is too large.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['InvalidRequest', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['InvalidRequest', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['InvalidRequest', 'The body does not have the length that was announced.'],
  FST_ERR_BAD_URL: ['InvalidRequest', 'The path has a malformed percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['UriTooLong', 'The address is too long.'],
}

/** Every error as a refusal. What we did not foresee is a bug, and a caller is told nothing of its insides. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = frameworkProblems[code]
  if (known) return new Problem(...known)
  if (isOutage(error)) return isCommitUncertain(error) ? uncertain() : unavailable()
  return new Problem('InternalError', 'Something went wrong on our side. The X-Correlation header names this request.')
}

export function errorBody(problem: Problem): Record<string, unknown> {
  return {
    ErrorCode: wireCodes[problem.code] ?? problem.code,
    Message: problem.message,
    ...(problem.modelState && { ModelState: problem.modelState }),
  }
}

function logError(error: unknown, problem: Problem, request: FastifyRequest): void {
  // A caller who hangs up in the middle of a body raises ECONNRESET, which is no outage of ours.
  if (request.socket.destroyed) return
  if (problem.code === 'InternalError') request.log.error({ err: error }, 'unexpected error')
  else if (error !== problem && problem.code === 'ServiceUnavailable') request.log.warn({ err: error }, 'outage')
}

/** The one place where a refusal becomes a REST answer. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, profile: WireProfile): void {
  const problem = toProblem(error)
  logError(error, problem, request)
  reply.code(problem.status).headers(problem.headers).header('cache-control', 'no-store').removeHeader('etag')
  if (problem.code === 'Unauthorized' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  if (problem.code === 'Unauthorized' && !profile.restUnauthorizedBody) {
    reply.removeHeader('content-type').send()
    return
  }
  // As text, so that no response schema of the route can take members away.
  reply.type('application/json; charset=utf-8').send(JSON.stringify(errorBody(problem)))
}
