import { Type } from 'typebox'
import { describe } from '../core/schema.ts'
import type { Server } from './typed-server.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const Diagnostics = Type.Object(
  { Method: Type.String({ description: 'The method that arrived here.' }) },
  { title: 'Diagnostics' },
)

/** Client libraries ask these first, before they have a token, to learn which methods get through the proxies on their way;
 *  for those that do not, they turn to X-HTTP-Method-Override. */
export function diagnosticsRoutes(api: Server): void {
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    // Of any type: what is asked is whether the method comes through.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    declareRoutes(scope)
  })
}

function declareRoutes(scope: Server): void {
  for (const method of methods) {
    const word = method.toLowerCase()
    const schema = {
      operationId: `${word}Diagnostics`,
      summary: `Whether ${method} comes through`,
      description: `Answers 200 to ${method}, with or without a body, which is not looked at. If it does not, something on the way stops the method:
send POST with X-HTTP-Method-Override instead.`,
      tags: ['root'],
      response: { 200: describe(Diagnostics, 'It came through.', { examples: [{ Method: method }] }) },
      documented: { withoutToken: true },
    }
    scope.route({
      ...{ method, url: `/root/v1/diagnostics/${word}`, schema },
      config: { withoutToken: true },
      handler: async () => ({ Method: method }),
    })
  }
}
