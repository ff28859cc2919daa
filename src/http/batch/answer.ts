import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/keys.ts'
import type { Problem } from '../../core/problem.ts'
import { correlationOf } from '../correlation.ts'
import { errorBody } from '../errors.ts'
import { type InProcessCall, type Origin, originOf } from '../in-process.ts'
import { batchEnd, type PartAnswer, partEnd, partHead } from './rules/part-answer.ts'
import { carriedFields, type PartRequest } from './rules/part-request.ts'

/** A part that was read: a request to make, or why there is none. */
export type Part = Readonly<{ request: PartRequest } | { refusal: Problem; requestId: string | undefined }>

export type BatchParts = Readonly<{ call: InProcessCall; nodeName: string }>

type Answered = PartAnswer & { body: Buffer }

/** As if its sender had made it alone: from the same place, and with the batch's token if it has none of its own. */
async function made(call: InProcessCall, part: PartRequest, token: string, origin: Origin): Promise<Answered> {
  const { method, target: url, fields, body } = part
  const { remoteAddress, forwarded, userAgent } = origin
  const answer = await call({
    ...{ method, url, remoteAddress },
    headers: { authorization: token, 'user-agent': userAgent, ...carriedFields(fields), ...forwarded },
    ...(body !== '' && { payload: Buffer.from(body, 'latin1') }),
  })
  return answerOf(answer.statusCode, answer.headers, answer.rawPayload)
}

const answerOf = (status: number, headers: Record<string, unknown>, body: Buffer): Answered => ({
  ...{ status, headers, body },
  reason: STATUS_CODES[status] ?? '',
})

/** No route has seen this part, so what every answer has is put together here: the ids, the body, and a line in the log. */
function refused(request: FastifyRequest, nodeName: string, refusal: Problem, sentId: string | undefined): Answered {
  const id = sentId ?? randomRequestId()
  request.log.child({ reqId: id }).info({ status: refusal.status, reason: refusal.message }, 'part refused')
  const headers = {
    'x-correlation': correlationOf({ caller: request.caller, id }, nodeName),
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
  { call, nodeName }: BatchParts,
): AsyncGenerator<Buffer> {
  const [token, origin] = [request.headers.authorization ?? '', originOf(request)]
  const cut = (error: unknown) => void request.log.warn({ err: error }, 'a part ended without an answer')
  for (const part of parts) {
    const answer =
      'request' in part
        ? await made(call, part.request, token, origin).catch(cut)
        : refused(request, nodeName, part.refusal, part.requestId)
    // A request that ends without an answer was cut (a fault of the sim does that), and what it came by with it.
    if (!answer) return void request.raw.socket.destroy()
    const { body, ...head } = answer
    yield Buffer.concat([Buffer.from(partHead(boundary, head, body.length), 'latin1'), body, Buffer.from(partEnd)])
  }
  yield Buffer.from(batchEnd(boundary))
}
