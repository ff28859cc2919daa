import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/crypto/keys.ts'
import { reasonPhrases } from '../../core/network/node-http.ts'
import type { Problem } from '../../core/problem.ts'
import { errorBody } from '../errors.ts'
import { type InProcessCall, type RequestSource, sourceOf } from '../in-process.ts'
import { type CountRequest, rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { correlationOf } from '../output/correlation.ts'
import { forwardedFields, type PartRequest } from './rules/part-request.ts'
import { batchEnd, type PartResponse, partEnd, partHead } from './rules/part-response.ts'

export type Part = Readonly<{ request: PartRequest } | { problem: Problem; requestId: string | undefined }>

export type BatchDependencies = Readonly<{ call: InProcessCall; nodeName: string; count: CountRequest }>

type Sender = RequestSource & Readonly<{ token: string; signal: AbortSignal }>

type Response = PartResponse & { body: Buffer }

/** Runs a part as if the caller had sent it alone, with the token of the batch unless it has its own. */
async function runPart(call: InProcessCall, part: PartRequest, sender: Sender): Promise<Response> {
  const { method, target: url, fields, body } = part
  const { token, remoteAddress, forwarded, userAgent, signal } = sender
  const response = await call({
    ...{ method, url, remoteAddress, signal },
    headers: { authorization: token, 'user-agent': userAgent, ...forwardedFields(fields), ...forwarded },
    ...(body !== '' && { payload: Buffer.from(body, 'latin1') }),
  })
  return responseOf(response.statusCode, response.headers, response.rawPayload)
}

const spellings = new Map(
  ['ETag', 'WWW-Authenticate', ...rateLimitHeaderNames].map((name) => [name.toLowerCase(), name]),
)

/** `X-Request-Id` for `x-request-id`: some clients search for the usual spelling. */
const spelled = (name: string): string =>
  spellings.get(name) ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

const responseOf = (status: number, headers: Record<string, unknown>, body: Buffer): Response => ({
  ...{ status, body },
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [spelled(name), value])),
  reason: reasonPhrases[status] ?? '',
})

/** The response to a part that no route has seen. It is counted like a call of its group, which also limits the log lines. */
function rejectPart(
  request: FastifyRequest,
  deps: BatchDependencies,
  error: Problem,
  sentId: string | undefined,
): Response {
  const { headers: rateLimits, problem: limitProblem } = deps.count(request)
  const problem = limitProblem ?? error
  const id = sentId ?? randomRequestId()
  const line = { status: problem.status, reason: problem.message }
  request.log.child({ reqId: id })[limitProblem ? 'debug' : 'info'](line, 'part rejected')
  const headers = {
    ...rateLimits,
    ...problem.headers,
    'x-correlation': correlationOf({ caller: request.caller, id }, deps.nodeName),
    ...(sentId !== undefined && { 'x-request-id': sentId }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  }
  return responseOf(problem.status, headers, Buffer.from(JSON.stringify(errorBody(problem))))
}

/** The responses in the order of the parts. The stream requests one ahead of what it sends, so only a few are in memory, and
 *  none is started after the caller has disconnected. */
export async function* respondToParts(
  request: FastifyRequest,
  parts: readonly Part[],
  boundary: string,
  options: BatchDependencies & Readonly<{ signal: AbortSignal }>,
): AsyncGenerator<Buffer> {
  const { call, signal } = options
  const sender = { ...sourceOf(request), token: request.headers.authorization ?? '', signal }
  const logCut = (error: unknown) =>
    void (signal.aborted || request.log.warn({ err: error }, 'a part ended without a response'))
  for (const part of parts) {
    // Parts that are answered from memory would otherwise block the event loop.
    await nextTurn()
    if (request.raw.socket.destroyed) return
    const response =
      'request' in part
        ? await runPart(call, part.request, sender).catch(logCut)
        : rejectPart(request, options, part.problem, part.requestId)
    // An injected fault can cut a request; the connection of the batch is cut with it.
    if (!response) return void request.raw.socket.destroy()
    const { body, ...head } = response
    yield Buffer.concat([Buffer.from(partHead(boundary, head, body.length), 'latin1'), body, Buffer.from(partEnd)])
  }
  yield Buffer.from(batchEnd(boundary))
}
