import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../access/caller.ts'
import { type InProcessCall, sourceOf } from '../http/in-process.ts'
import type { OperationResponse } from './call-tool.ts'
import type { OperationRequest } from './request.ts'

/** Calls operations in process, as the caller of a message. */
export class InProcessCaller {
  readonly #request: FastifyRequest
  readonly #call: InProcessCall
  readonly #basePath: string
  readonly #disconnected = new AbortController()
  wasCalled = false
  /** Whether the operation ended without a response: the agent has left, or a fault has cut it. */
  isCut = false

  constructor(request: FastifyRequest, reply: FastifyReply, call: InProcessCall, basePath: string) {
    this.#request = request
    this.#call = call
    this.#basePath = basePath
    reply.raw.once('close', () => this.#disconnected.abort())
  }

  readonly call = async ({ method, target, body }: OperationRequest): Promise<OperationResponse> => {
    this.wasCalled = true
    const { remoteAddress, forwarded, userAgent } = sourceOf(this.#request)
    const isJson = body !== undefined && { 'content-type': 'application/json' }
    try {
      const response = await this.#call({
        ...{ method, url: `${this.#basePath}${target}`, remoteAddress, signal: this.#disconnected.signal },
        caller: callerOf(this.#request),
        headers: { 'user-agent': userAgent, ...isJson, ...forwarded },
        ...(body !== undefined && { payload: body }),
      })
      const { statusCode: status, headers, body: text } = response
      const retryAfter = headers['retry-after'] === undefined ? undefined : String(headers['retry-after'])
      return { status, body: text, retryAfter }
    } catch (error) {
      this.isCut = true
      if (!this.#disconnected.signal.aborted)
        this.#request.log.warn({ err: error }, 'a tool call ended without a response')
      throw error
    }
  }
}
