import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/crypto/keys.ts'

const safeIdPattern = /^[A-Za-z0-9._:-]{1,64}$/

/** The caller's own id if it is safe in headers and logs, otherwise a random one. */
export function requestIdOf(raw: IncomingMessage): string {
  return safeRequestId(raw.headers['x-request-id']) ?? randomRequestId()
}

export const safeRequestId = (sent: string | string[] | undefined): string | undefined =>
  typeof sent === 'string' && safeIdPattern.test(sent) ? sent : undefined

export function correlationOf({ caller, id }: Pick<FastifyRequest, 'caller' | 'id'>, nodeName: string): string {
  return `${caller?.sessionId ?? ''}#${caller?.appKey ?? ''}#${id}#${nodeName}`
}

/** What every response says about the node. */
export type NodeFacts = Readonly<{
  nodeName: string
  /** Whether browsers may only use https. */
  isHttpsOnly: boolean
}>

/** A year, in seconds. Not for subdomains, which may be of others. */
export const strictTransport = 'max-age=31536000'

export function setCommonHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  node: NodeFacts,
  isDraining = false,
): void {
  if (isDraining) reply.header('connection', 'close')
  if (node.isHttpsOnly) reply.header('strict-transport-security', strictTransport)
  reply.header('x-correlation', correlationOf(request, node.nodeName))
  if (request.headers['x-request-id'] === request.id) reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer')
}

/** An error without the extra properties of database drivers, which contain rows, queries and bodies. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : plainError(error.cause)
  return { type: error.name, message: error.message, stack: error.stack, code, cause }
}

/** Addresses, headers, queries and bodies can contain secrets, so nothing of a request or reply is logged. */
const serializers = { req: () => undefined, res: () => undefined, err: plainError }

export const redactedLog = (log: FastifyBaseLogger): FastifyBaseLogger => log.child({}, { serializers })
