import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientErrors } from './client-errors.ts'
import { requireValid } from './input/validation.ts'
import { requireFewParameters, requireValidHead } from './limits/guards.ts'
import type { InFlight } from './limits/in-flight.ts'
import { compress } from './output/compression.ts'
import { type NodeFacts, setCommonHeaders } from './output/correlation.ts'
import { addCorsHeaders, sendPreflight } from './output/cors.ts'
import { isPreflight, problemOf, requireKnownPath } from './paths.ts'
import type { Server } from './typed-server.ts'

/** A response that was sent before, without the headers that differ with every request. */
export type Answer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body?: Buffer | undefined
}>

/** The steps that a scope adds to those of every request. */
export type Steps = Readonly<{
  /** Finds the caller, injects faults and counts the request. Returns a promise only if there is something to wait for. */
  admit?(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** Returns a remembered response to an admitted request, before its query and body are validated. */
  answer?(request: FastifyRequest): Answer | undefined
  /** Receives every response that is bytes, compressed if the caller accepts that. */
  remember?(request: FastifyRequest, reply: FastifyReply, payload: Buffer): void
}>

declare module 'fastify' {
  interface FastifyInstance {
    steps?: Steps
    observeResponses(observer: Observer): void
  }
  interface FastifyReply {
    /** The body that was sent, for observers. */
    payload: unknown
    /** Whether an operation was run that may have changed something. */
    mayHaveChanged: boolean
    isCut: boolean
  }
}

/** Applies to all routes of this scope. */
export function addSteps(scope: Server, steps: Steps): void {
  scope.decorate('steps', steps)
}

type PipelineOptions = Readonly<{
  node: NodeFacts
  inFlight: InFlight
  observations: Observations
  clientErrors: ClientErrors
}>

/** The steps of a request, in this order. A REST request whose token is known waits for nothing before its handler. */
export function addPipeline(server: Server, options: PipelineOptions): void {
  const { node, inFlight, observations, clientErrors } = options
  server.decorate('requestsInFlight', { getter: () => inFlight.count })
  server.decorateRequest('caller', null)
  server.decorateRequest('basis', null)
  server.decorateReply('payload', undefined)
  server.decorateReply('mayHaveChanged', false)
  server.decorateReply('isCut', false)
  server.addHook('onRequest', (request, reply, done) => {
    inFlight.admit(request, reply)
    requireValidHead(request)
    // A preflight continues to the CORS rules, so that a page can read the error of the request that follows.
    const { origin } = request.headers
    const preflight = origin !== undefined && isPreflight(request)
    if (!preflight) requireKnownPath(request)
    requireFewParameters(request)
    const { corsRules, steps } = request.server
    // The response is sent here, so `done` is not called.
    if (preflight && corsRules) return void sendPreflight(reply, corsRules, origin)
    const proceed = () => {
      // A fault has ended the request.
      if (reply.sent) return true
      if (request.is404) throw problemOf(request)
      const answer = steps?.answer?.(request)
      if (answer) sendAgain(request, reply, answer, node)
      return answer !== undefined
    }
    const admission = steps?.admit?.(request, reply)
    if (admission) admission.then(proceed).then((isSent) => isSent || done(), done)
    else if (!proceed()) done()
  })
  server.addHook('preHandler', (request, reply, done) => {
    // The body of a request that was answered with 408 has arrived after all.
    if (clientErrors.isAnswered(request.socket)) return void reply.hijack()
    requireValid(request)
    reply.mayHaveChanged = !isRead(request)
    done()
  })
  addOnSend(server, node, observations)
  server.addHook('onResponse', (request, reply, done) => {
    // A request whose caller has left may have no response.
    if (!reply.isCut && reply.raw.writableEnded) observations.add(request, reply)
    done()
  })
}

/** Sends a remembered response. Nothing of it has to be validated, serialized or compressed. */
function sendAgain(request: FastifyRequest, reply: FastifyReply, answer: Answer, node: NodeFacts): void {
  const { status, headers, body } = answer
  const { corsRules, draining } = request.server
  reply.code(status).headers(headers)
  setCommonHeaders(request, reply, node, draining)
  if (corsRules) addCorsHeaders(request, reply, corsRules)
  if (body) reply.header('content-length', body.length)
  reply.payload = body
  reply.hijack()
  reply.raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders)
  reply.raw.end(body)
}

function addOnSend(server: Server, node: NodeFacts, observations: Observations): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { corsRules, steps } = request.server
    setCommonHeaders(request, reply, node, server.draining)
    const finish = (sent: unknown) => {
      if (steps?.remember && Buffer.isBuffer(sent)) steps.remember(request, reply, sent)
      if (corsRules) addCorsHeaders(request, reply, corsRules)
      reply.payload = sent
      if (reply.mayHaveChanged)
        whenCut(reply.raw, () => {
          reply.isCut = true
          observations.add(request, reply)
        })
      done(null, sent)
    }
    const compressing = compress(request, reply, payload)
    if (!compressing) return finish(payload)
    // Sending may fail after this hook, for example because of an invalid header.
    compressing.then(finish, done).catch((error: unknown) => {
      request.log.error({ err: error }, 'response could not be sent')
      reply.raw.destroy()
    })
  })
}

/** Called for every response that was sent, with the time that it took. */
export type Observer = (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void

/** Notifies observers of responses. An observer that fails harms nothing else. */
export class Observations {
  readonly #observers: Observer[] = []
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  addObserver(observer: Observer): void {
    this.#observers.push(observer)
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    const { elapsedTime } = reply
    for (const observe of this.#observers)
      try {
        observe(request, reply, elapsedTime)
      } catch (error) {
        this.#log.error({ err: error, reqId: request.id }, 'an observer failed')
      }
  }
}

/** A read that could not be sent is not observed: it has changed nothing, and may have stopped because its caller left. */
const isRead = ({ method }: Pick<FastifyRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Calls back if the connection is closed before a response has left. */
function whenCut(response: ServerResponse, report: () => void): void {
  if (response.closed) {
    report()
    return
  }
  response.once('close', report)
  response.once('finish', () => response.off('close', report))
}
