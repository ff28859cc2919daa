import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../access/caller.ts'
import { admitAgents } from '../admission.ts'
import type { AuthContext } from '../auth/context.ts'
import { basePathOf } from '../core/environment.ts'
import { Problem } from '../core/problem.ts'
import { parseWeights } from '../core/weights.ts'
import { type InProcessCall, sourceOf } from '../http/in-process.ts'
import { limitRates } from '../http/limits/rate-limits.ts'
import type { Server } from '../http/typed-server.ts'
import type { CallOperation } from './call-tool.ts'
import { toolsOf } from './tools.ts'

const ownHeaders = ['accept', 'content-type', 'mcp-protocol-version']

/** POST /mcp: the tools over HTTP (§11.12), with tokens that are for this address only. */
export function agentRoutes(server: Server, context: AuthContext, call: InProcessCall): void {
  const { config, resources } = context
  const tools = toolsOf(config.environment)
  const names = new Set(tools.map(({ name }) => name))
  const basePath = basePathOf(config.environment)
  server.register(async (scope: Server) => {
    const limit = limitRates(admitAgents(scope, context))
    scope.post('/mcp', { schema: { hide: true } }, async (request, reply: FastifyReply) => {
      const { body } = request
      if (Array.isArray(body)) throw new Problem('InvalidRequest', 'Send one message per request, not a list of them.')
      const operations = operationsOf(request, reply, call, basePath)
      const isCounted = isToolCall(body, names)
      if (!isCounted) limit(request, reply)
      // On demand: few services are used by agents, and it takes as long to load as everything else.
      const { agentServer, answerMessage } = await import('./server.ts')
      const onError = (error: unknown) => operations.isCut || request.log.error({ err: error }, 'tool failed')
      const message = new Request(resources.agents, { method: 'POST', headers: protocolHeaders(request) })
      const answer = await answerMessage(agentServer(tools, operations.call, onError), message, body)
      // An injected fault can cut a call; the connection is cut with it.
      if (operations.isCut) {
        reply.hijack()
        request.raw.socket.destroy()
        return reply
      }
      // The operation has counted the call, unless it was rejected before.
      if (isCounted && !operations.wasCalled) limit(request, reply)
      return sendAnswer(reply, answer)
    })
  })
}

/** Calls operations in process, as the caller of a message. `isCut`: one ended without a response, because the agent has left
 *  or a fault has cut it. */
function operationsOf(request: FastifyRequest, reply: FastifyReply, callInProcess: InProcessCall, basePath: string) {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const call: CallOperation = async ({ method, target, body }) => {
    operations.wasCalled = true
    const { remoteAddress, forwarded, userAgent } = sourceOf(request)
    const isJson = body !== undefined && { 'content-type': 'application/json' }
    try {
      const response = await callInProcess({
        ...{ method, url: `${basePath}${target}`, remoteAddress, signal: disconnected.signal },
        caller: callerOf(request),
        headers: { 'user-agent': userAgent, ...isJson, ...forwarded },
        ...(body !== undefined && { payload: body }),
      })
      const retryAfter = response.headers['retry-after']?.toString()
      return { status: response.statusCode, body: response.body, retryAfter }
    } catch (error) {
      operations.isCut = true
      if (!disconnected.signal.aborted) request.log.warn({ err: error }, 'a tool call ended without a response')
      throw error
    }
  }
  const operations = { call, wasCalled: false, isCut: false }
  return operations
}

/** Without those that were not sent: an empty one would be invalid. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const sent = ownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  return { ...Object.fromEntries(sent), ...(acceptsJson(headers.accept) && { accept: bothTypes }) }
}

/** The SDK requires both types of every client, but all answers are JSON. */
const bothTypes = 'application/json, text/event-stream'

function acceptsJson(accept = '*/*'): boolean {
  const weights = parseWeights(accept)
  const weight = ['application/json', 'application/*', '*/*']
    .map((type) => weights.get(type))
    .find((one) => one !== undefined)
  return (weight ?? 0) > 0
}

function isToolCall(body: unknown, names: ReadonlySet<string>): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && typeof params?.name === 'string' && names.has(params.name)
}

async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const text = await answer.text()
  reply.code(answer.status).header('cache-control', 'no-store')
  const type = answer.headers.get('content-type')
  return type === null ? reply.send() : reply.type(type).send(text)
}
