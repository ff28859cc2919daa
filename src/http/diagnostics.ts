import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { describe } from '../core/schema.ts'
import { addOperation, operation } from './operation.ts'
import type { Server } from './typed-server.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const open = { documented: { withoutToken: true }, config: { withoutToken: true } } as const

const Diagnostics = Type.Object(
  { Method: Type.String({ description: 'The method of the request as it arrived.' }) },
  { title: 'Diagnostics' },
)

const testMethod = (method: (typeof methods)[number]) =>
  operation({
    method,
    path: `/root/v1/diagnostics/${method.toLowerCase()}`,
    operationId: `${method.toLowerCase()}Diagnostics`,
    summary: `Test whether ${method} requests arrive`,
    description: `Returns 200 to ${method}, with or without a body, which is ignored. If it fails, a proxy blocks the method:
send POST with X-HTTP-Method-Override instead.`,
    responses: { 200: describe(Diagnostics, 'The request arrived.', { examples: [{ Method: method }] }) },
    ...open,
  })

const Echo = Type.Object(
  {
    ...Diagnostics.properties,
    Query: Type.Optional(Type.String({ description: 'The query as it arrived, without the question mark.' })),
    Body: Type.Optional(Type.String({ description: 'The body as it arrived, read as UTF-8.' })),
  },
  { title: 'Echo' },
)

const echo = (method: 'GET' | 'POST') =>
  operation({
    method,
    path: '/root/v1/diagnostics/echo',
    operationId: `${method.toLowerCase()}Echo`,
    summary: `See how a ${method} request arrives`,
    description: 'Returns the method, the query and the body of the request, if any.',
    responses: { 200: describe(Echo, 'The request as it arrived.', { examples: [{ Method: method }] }) },
    ...open,
  })

function handleEcho({ method, url, body }: FastifyRequest) {
  const Query = url.split('?').slice(1).join('?')
  const Body = Buffer.isBuffer(body) ? body.toString() : ''
  return { Method: method, ...(Query !== '' && { Query }), ...(Body !== '' && { Body }) }
}

/** Client libraries call these before they have a token, to learn which methods get through the proxies on the way. */
export function diagnosticsRoutes(api: Server): void {
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const method of methods) addOperation(scope, testMethod(method), async () => ({ Method: method }))
    for (const method of ['GET', 'POST'] as const)
      addOperation(scope, echo(method), async (request) => handleEcho(request))
    // Not in the API document: their responses have no body to describe.
    const hidden = { schema: { hide: true }, config: open.config }
    scope.head('/root/v1/diagnostics/head', hidden, async (_request, reply) => reply.send())
    scope.options('/root/v1/diagnostics/options', hidden, async (_request, reply) => reply.send())
  })
}
