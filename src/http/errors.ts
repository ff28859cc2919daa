import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCommitUncertain, isOutage } from '../core/network/outage.ts'
import { Problem, type ProblemCode, unavailable, uncertain, wireCodes } from '../core/problem.ts'
import type { WireProfile } from '../core/wire-profile.ts'
import { noteFacts, type Reason } from './request-log/facts.ts'

const frameworkProblems: Record<string, readonly [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['InvalidMediaTypeHeader', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['RequestTooLarge', 'The body is too large.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['InvalidRequest', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['InvalidRequest', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['InvalidRequest', 'The length of the body differs from Content-Length.'],
  FST_ERR_BAD_URL: ['InvalidRequest', 'The path has a malformed percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['UriTooLong', 'The address is too long.'],
}

/** Any error as a problem. An unexpected one is a bug, whose details are only logged. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = frameworkProblems[code]
  if (known) return new Problem(...known)
  if (isOutage(error)) return isCommitUncertain(error) ? uncertain() : unavailable()
  const message = 'Something went wrong on our side. The X-Correlation header identifies this request.'
  return new Problem('InternalError', message)
}

export function errorBody(problem: Problem): Record<string, unknown> {
  return {
    ErrorCode: wireCodes[problem.code] ?? problem.code,
    Message: problem.message,
    ...(problem.modelState && { ModelState: problem.modelState }),
    ...problem.members,
  }
}

/** With the first error of each field. */
function reasonOf({ code, message, modelState = {} }: Problem): Reason {
  const fields = Object.entries(modelState).map(([field, [first = '']]) => [field, first] as const)
  return { code: wireCodes[code] ?? code, message, fields }
}

function logError(error: unknown, problem: Problem, request: FastifyRequest): void {
  // A caller who disconnects while sending a body causes ECONNRESET, which is not an outage.
  if (request.socket.destroyed) return
  if (problem.code === 'InternalError') request.log.error({ err: error }, 'unexpected error')
  else if (error !== problem && problem.code === 'ServiceUnavailable') request.log.warn({ err: error }, 'outage')
}

function withAdvice(problem: Problem, { routeOptions }: FastifyRequest): Problem {
  if (problem.code !== 'RequestTooLarge') return problem
  const advice = routeOptions.config?.tooLargeAdvice
  return advice === undefined ? problem : new Problem(problem.code, `${problem.message} ${advice}`)
}

/** The only place where an error becomes a REST response. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, profile: WireProfile): void {
  const problem = withAdvice(toProblem(error), request)
  logError(error, problem, request)
  noteFacts(request, { reason: reasonOf(problem) })
  reply.code(problem.status).headers(problem.headers).header('cache-control', 'no-store').removeHeader('etag')
  if (problem.status === 404 && request.routeOptions.config.isExplained) request.server.addHelp?.(request, reply)
  if (problem.code === 'Unauthorized' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  if (problem.code === 'Unauthorized' && !profile.restUnauthorizedBody) {
    reply.removeHeader('content-type').send()
    return
  }
  // As text, so that no response schema of the route removes fields.
  reply.type('application/json; charset=utf-8').send(JSON.stringify(errorBody(problem)))
}
