import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/crypto/keys.ts'
import { reasonPhrases } from '../../core/network/node-http.ts'
import { Problem } from '../../core/problem.ts'
import { errorBody } from '../errors.ts'
import { type InProcessCall, type RequestSource, sourceOf } from '../in-process.ts'
import { limits } from '../limits/buckets.ts'
import { type CountRequest, rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { correlationOf, safeRequestId } from '../output/correlation.ts'
import { forwardedFields, type PartRequest } from './rules/part-request.ts'
import { batchEnd, type PartResponse, partEnd, partHead } from './rules/part-response.ts'

type Runnable = Readonly<{ request: PartRequest }>
type Rejected = Readonly<{ problem: Problem; requestId: string | undefined }>
export type Part = Runnable | Rejected

export type BatchDependencies = Readonly<{ call: InProcessCall; nodeName: string; count: CountRequest }>

type Sender = RequestSource & Readonly<{ token: string; signal: AbortSignal }>

type Response = PartResponse & { body: Buffer }

/** Runs a part as if the caller had sent it alone, with the token of the batch unless it has its own. */
async function runPart(call: InProcessCall, part: PartRequest, sender: Sender): Promise<Response> {
  const { method, target: url, fields, body } = part
  const { token, remoteAddress, forwarded, userAgent, signal } = sender
  const { statusCode, headers, rawPayload } = await call({
    ...{ method, url, remoteAddress, signal },
    headers: { authorization: token, 'user-agent': userAgent, ...forwardedFields(fields), ...forwarded },
    ...(body !== '' && { payload: Buffer.from(body, 'latin1') }),
  })
  return responseOf(statusCode, headers, rawPayload)
}

const spellings = new Map(
  ['ETag', 'WWW-Authenticate', ...rateLimitHeaderNames()].map((name) => [name.toLowerCase(), name]),
)

/** `X-Request-Id` for `x-request-id`: some clients search for the usual spelling. */
const spelled = (name: string): string =>
  spellings.get(name) ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

function responseOf(status: number, sent: Readonly<Record<string, unknown>>, body: Buffer): Response {
  const headers: Record<string, unknown> = {}
  for (const name in sent) headers[spelled(name)] = sent[name]
  return { status, body, headers, reason: reasonPhrases[status] ?? '' }
}

/** The response to a part that no route has seen. It is counted like a call of its group, which also limits the log lines. */
function rejectPart(
  request: FastifyRequest,
  deps: BatchDependencies,
  { problem: error, requestId: sentId }: Rejected,
): Response {
  const { headers: rateLimits, problem: limitProblem } = deps.count(request)
  const problem = limitProblem ?? error
  const id = sentId ?? randomRequestId()
  const line = { reqId: id, status: problem.status, reason: problem.message }
  request.server.log[limitProblem ? 'debug' : 'info'](line, 'part rejected')
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

const end = Buffer.from(partEnd)

const enough = new Problem(
  'RequestTooLarge',
  `The responses of this batch have reached ${limits.batchResponseBytes / 1024 / 1024} MB, so this part did not run. Send it again in another batch.`,
)

function tooMuch(part: Part): Rejected {
  const requestId = 'request' in part ? safeRequestId(part.request.fields['x-request-id']?.[0]) : part.requestId
  return { problem: enough, requestId }
}

/** Small responses are written together up to this size. */
const gatheredBytes = 32_768

/** The responses in the order of the parts. None is requested before the connection has taken the ones before it, small ones
 *  aside, or after the caller has disconnected. */
export async function* respondToParts(
  request: FastifyRequest,
  parts: readonly Part[],
  boundary: string,
  options: BatchDependencies & Readonly<{ signal: AbortSignal }>,
): AsyncGenerator<Buffer> {
  const { call, signal } = options
  const { socket } = request.raw
  const sender = { ...sourceOf(request), token: request.headers.authorization ?? '', signal }
  const respond = async (part: Part): Promise<Response> =>
    'problem' in part ? rejectPart(request, options, part) : runPart(call, part.request, sender)
  const cut = (error: unknown) =>
    void (signal.aborted || request.log.warn({ err: error }, 'a part ended without a response'))
  let gathered = Buffer.alloc(0)
  let sentBytes = 0
  for (const part of parts) {
    // Lets other requests go first. The caller may also have left.
    await nextTurn()
    if (socket.writableNeedDrain) await once(socket, 'drain', { signal }).catch(() => undefined)
    if (socket.destroyed) return
    const response = await respond(sentBytes < limits.batchResponseBytes ? part : tooMuch(part)).catch(cut)
    // An injected fault can cut a request; the connection of the batch is cut with it.
    if (!response) return void socket.destroy()
    const head = Buffer.from(partHead(boundary, response, response.body.length), 'latin1')
    sentBytes += head.length + response.body.length
    gathered = Buffer.concat([gathered, head, response.body, end])
    if (gathered.length < gatheredBytes) continue
    yield gathered
    gathered = Buffer.alloc(0)
  }
  yield Buffer.concat([gathered, Buffer.from(batchEnd(boundary))])
}
