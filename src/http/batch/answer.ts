import { STATUS_CODES } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/crypto/keys.ts'
import type { Problem } from '../../core/problem.ts'
import { errorBody } from '../errors.ts'
import { type InProcessCall, type RequestSource, sourceOf } from '../in-process.ts'
import { type CountRequest, rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { correlationOf } from '../output/correlation.ts'
import { batchEnd, type PartAnswer, partEnd, partHead } from './rules/part-answer.ts'
import { carriedFields, type PartRequest } from './rules/part-request.ts'

/** A part that was read: a request to make, or why there is none. */
export type Part = Readonly<{ request: PartRequest } | { refusal: Problem; requestId: string | undefined }>

export type BatchParts = Readonly<{ call: InProcessCall; nodeName: string; count: CountRequest }>

/** Who sent the batch; the signal comes when he hangs up. */
type Sender = RequestSource & Readonly<{ token: string; signal: AbortSignal }>

type Answered = PartAnswer & { body: Buffer }

/** As if its sender had made it alone: from the same place, and with the batch's token if it has none of its own. */
async function made(call: InProcessCall, part: PartRequest, sender: Sender): Promise<Answered> {
  const { method, target: url, fields, body } = part
  const { token, remoteAddress, forwarded, userAgent, signal } = sender
  const answer = await call({
    ...{ method, url, remoteAddress, signal },
    headers: { authorization: token, 'user-agent': userAgent, ...carriedFields(fields), ...forwarded },
    ...(body !== '' && { payload: Buffer.from(body, 'latin1') }),
  })
  return answerOf(answer.statusCode, answer.headers, answer.rawPayload)
}

const spellings = new Map(
  ['ETag', 'WWW-Authenticate', ...rateLimitHeaderNames].map((name) => [name.toLowerCase(), name]),
)

/** `x-request-id` as `X-Request-Id`: names have no case, but there are clients that look for them by this spelling. */
const spelled = (name: string): string =>
  spellings.get(name) ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

const answerOf = (status: number, headers: Record<string, unknown>, body: Buffer): Answered => ({
  ...{ status, body },
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [spelled(name), value])),
  reason: STATUS_CODES[status] ?? '',
})

/** No route has seen this part, so what every answer has is put together here: the ids, the body, and a line in the log. It
 *  is counted as a call of the group is, which bounds those lines too. */
function refused(request: FastifyRequest, parts: BatchParts, why: Problem, sentId: string | undefined): Answered {
  const { headers: standing, refusal: full } = parts.count(request)
  const refusal = full ?? why
  const id = sentId ?? randomRequestId()
  const line = { status: refusal.status, reason: refusal.message }
  request.log.child({ reqId: id })[full ? 'debug' : 'info'](line, 'part refused')
  const headers = {
    ...standing,
    ...refusal.headers,
    'x-correlation': correlationOf({ caller: request.caller, id }, parts.nodeName),
    ...(sentId !== undefined && { 'x-request-id': sentId }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  }
  return answerOf(refusal.status, headers, Buffer.from(JSON.stringify(errorBody(refusal))))
}

/**
 * The answers, one piece for each part, in the order of the parts. The stream asks for one ahead of what it sends, so that
 * only a few are ever held in memory, and none is begun for a caller who has hung up.
 */
export async function* answerParts(
  request: FastifyRequest,
  parts: readonly Part[],
  boundary: string,
  options: BatchParts & Readonly<{ signal: AbortSignal }>,
): AsyncGenerator<Buffer> {
  const { call, signal } = options
  const sender = { ...sourceOf(request), token: request.headers.authorization ?? '', signal }
  const cut = (error: unknown) =>
    void (signal.aborted || request.log.warn({ err: error }, 'a part ended without an answer'))
  for (const part of parts) {
    // Parts that memory answers would else follow each other without a pause, and nobody else be heard meanwhile.
    await nextTurn()
    if (request.raw.socket.destroyed) return
    const answer =
      'request' in part
        ? await made(call, part.request, sender).catch(cut)
        : refused(request, options, part.refusal, part.requestId)
    // A request that ends without an answer was cut (a fault of the sim does that), and what it came by with it.
    if (!answer) return void request.raw.socket.destroy()
    const { body, ...head } = answer
    yield Buffer.concat([Buffer.from(partHead(boundary, head, body.length), 'latin1'), body, Buffer.from(partEnd)])
  }
  yield Buffer.from(batchEnd(boundary))
}
