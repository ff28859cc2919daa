import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DirectRoutes } from './direct/direct-routes.ts'
import type { RestReply, RestRequest } from './exchange.ts'
import { requireValid } from './input/validation.ts'
import { requireFewParameters, requireValidHead } from './limits/guards.ts'
import type { InFlight } from './limits/in-flight.ts'
import type { CountRequest } from './limits/rate-limits.ts'
import { compress } from './output/compression.ts'
import { type NodeFacts, setCommonHeaders } from './output/correlation.ts'
import { addCorsHeaders, sendPreflight } from './output/cors.ts'
import { isRead, type Observations, type Observer, whenCut } from './output/observations.ts'
import { isPreflight, problemOf, requireKnownPath } from './paths.ts'
import type { Server } from './typed-server.ts'

/** A response that was sent before: everything but the headers that differ with every request. The body is bytes or latin1
 *  text, a character per byte. */
export type Answer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body?: Buffer | string | undefined
}>

/** What a scope adds to the steps that every request passes. */
export type Steps = Readonly<{
  /** Finds the caller, injects faults and counts the request. Returns a promise only if there is something to wait for. */
  admit?(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** The same for the direct path: finds the caller if the token is known and no fault or origin must be checked. Returns
   *  false if `admit` must do it. */
  admitKnown?(request: RestRequest): boolean
  /** Counts a request that `admitKnown` has admitted. */
  count?: CountRequest
  /** Returns a remembered response to an admitted request, before its query and body are validated. */
  answer?(request: RestRequest): Answer | undefined
  /** Receives every response that is text or bytes, compressed if the caller accepts that. */
  remember?(request: RestRequest, reply: RestReply, payload: string | Buffer): void
}>

declare module 'fastify' {
  interface FastifyInstance {
    steps?: Steps
    observeResponses(observer: Observer): void
    directRoutes: DirectRoutes
  }
  interface FastifyRequest {
    /** Whether the response is one that was sent before. */
    isRemembered: boolean
  }
  interface FastifyReply {
    /** What was sent, for observers. */
    payload: unknown
    sharesPayload: boolean
    /** Whether an operation was run that may have changed something. */
    mayHaveChanged: boolean
    isCut: boolean
  }
}

/** Applies to all routes of this scope. */
export function addSteps(scope: Server, steps: Steps): void {
  scope.decorate('steps', steps)
}

type PipelineOptions = Readonly<{ node: NodeFacts; inFlight: InFlight; observations: Observations }>

/**
 * The steps of a request, in this order. They are plain functions called by one hook per phase, because a dozen hooks and
 * promises per request are measurable. A REST request whose token is known waits for nothing before its handler.
 */
export function addPipeline(server: Server, { node, inFlight, observations }: PipelineOptions): void {
  server.decorate('requestsInFlight', { getter: () => inFlight.count })
  server.decorateRequest('caller', null)
  server.decorateRequest('basis', null)
  server.decorateRequest('isRemembered', false)
  server.decorateReply('payload', undefined)
  server.decorateReply('sharesPayload', false)
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
    if (!steps) return done()
    const admission = steps.admit?.(request, reply)
    if (admission === undefined) return proceed(steps, request, reply, done)
    admission.then(() => proceed(steps, request, reply, done), done)
  })
  server.addHook('preHandler', (request, reply, done) => {
    requireValid(request)
    reply.mayHaveChanged = !isRead(request)
    done()
  })
  addOnSend(server, node, observations)
  server.addHook('onResponse', (request, reply, done) => {
    if (!reply.isCut) observations.add(request, reply)
    done()
  })
}

/** Sends a remembered response, or continues. A fault may already have ended the request. */
function proceed(steps: Steps, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.is404 && !reply.sent) {
    done(problemOf(request))
    return
  }
  let answer: Answer | undefined
  try {
    answer = reply.sent ? undefined : steps.answer?.(request)
  } catch (error) {
    done(error as Error)
    return
  }
  if (!answer) {
    done()
    return
  }
  request.isRemembered = true
  const { body } = answer
  reply.code(answer.status).headers(answer.headers)
  reply.send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
}

function addOnSend(server: Server, node: NodeFacts, observations: Observations): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { isRemembered, server: scope } = request
    setCommonHeaders(request, reply, node, server.draining)
    const finish = (sent: unknown) => {
      completeResponse(request, reply, sent, scope, isRemembered)
      reply.payload = sent
      if (reply.mayHaveChanged)
        whenCut(reply.raw, () => {
          reply.isCut = true
          observations.add(request, reply)
        })
      done(null, sent)
    }
    // What is remembered was compressed before.
    const compressing = isRemembered ? undefined : compress(request, reply, payload)
    if (!compressing) return finish(payload)
    // Sending may fail after this hook, for example because of an invalid header.
    compressing.then(finish, done).catch((error: unknown) => {
      request.log.error({ err: error }, 'response could not be sent')
      reply.raw.destroy()
    })
  })
}

/** The last step before a response is written, when it is compressed. */
export function completeResponse(
  request: RestRequest,
  reply: RestReply,
  sent: unknown,
  { corsRules, steps }: Pick<Server, 'corsRules' | 'steps'>,
  isRemembered: boolean,
): void {
  if (!isRemembered && steps?.remember && (typeof sent === 'string' || Buffer.isBuffer(sent)))
    steps.remember(request, reply, sent)
  if (corsRules) addCorsHeaders(request, reply, corsRules)
}
