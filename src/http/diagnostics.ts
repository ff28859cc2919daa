import { Type } from 'typebox'
import { describe } from '../core/schema.ts'
import { addOperation, operation } from './operation.ts'
import type { Server } from './typed-server.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

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
    documented: { withoutToken: true },
    config: { withoutToken: true },
  })

/** Client libraries call these before they have a token, to learn which methods get through the proxies on the way. */
export function diagnosticsRoutes(api: Server): void {
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    for (const method of methods) addOperation(scope, testMethod(method), async () => ({ Method: method }))
  })
}
