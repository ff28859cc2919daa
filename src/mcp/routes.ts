import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../access/caller.ts'
import { admitAgents } from '../admission.ts'
import type { AuthContext } from '../auth/context.ts'
import { basePathOf } from '../core/environment.ts'
import { Problem } from '../core/problem.ts'
import { type InProcessCall, sourceOf } from '../http/in-process.ts'
import type { Server } from '../http/typed-server.ts'
import type { CallOperation } from './call-tool.ts'
import { toolsOf } from './tools.ts'

/** The headers that the protocol reads. */
const ownHeaders = ['accept', 'content-type', 'mcp-protocol-version']

/** POST /mcp: the tools over HTTP (§11.12), with tokens that are for this address only. */
export function agentRoutes(server: Server, context: AuthContext, call: InProcessCall): void {
  const { config, profile, resources } = context
  const tools = toolsOf(config.environment, profile)
  const names = new Set(tools.map(({ name }) => name))
  const basePath = basePathOf(config.environment)
  server.register(async (scope: Server) => {
    const count = admitAgents(scope, context)
    scope.post('/mcp', { schema: { hide: true } }, async (request, reply: FastifyReply) => {
      const { body } = request
      if (Array.isArray(body)) throw new Problem('InvalidRequest', 'Send one message per request, not a list of them.')
      // The call of a tool is counted by its operation.
      if (!isToolCall(body, names)) {
        const { headers, problem } = count(request)
        reply.headers(headers)
        if (problem) throw problem
      }
      // On demand: few services are used by agents, and it takes as long to load as everything else.
      const { answerMessage } = await import('./http-message.ts')
      const headers = protocolHeaders(request)
      const operation = caller(request, reply, call, basePath)
      const onError = (error: unknown) => request.log.error({ err: error }, 'tool failed')
      const answer = await answerMessage({ tools, call: operation, onError, address: resources.agents, headers, body })
      return sendAnswer(reply, answer)
    })
  })
}

/** Without those that were not sent: an empty one would be invalid. */
const protocolHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(ownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))

function isToolCall(body: unknown, names: ReadonlySet<string>): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && typeof params?.name === 'string' && names.has(params.name)
}

/** Calls operations as the caller of a request, in process. */
function caller(request: FastifyRequest, reply: FastifyReply, call: InProcessCall, basePath: string): CallOperation {
  const { remoteAddress, forwarded, userAgent } = sourceOf(request)
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  return async ({ method, target, body }) => {
    const {
      statusCode,
      headers,
      body: text,
    } = await call({
      ...{ method, url: `${basePath}${target}`, remoteAddress, signal: disconnected.signal },
      caller: callerOf(request),
      headers: {
        'user-agent': userAgent,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...forwarded,
      },
      ...(body !== undefined && { payload: body }),
    })
    const retryAfter = headers['retry-after']
    return { status: statusCode, body: text, retryAfter: retryAfter === undefined ? undefined : String(retryAfter) }
  }
}

async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const text = await answer.text()
  reply.code(answer.status).header('cache-control', 'no-store')
  const type = answer.headers.get('content-type')
  return type === null ? reply.send() : reply.type(type).send(text)
}
