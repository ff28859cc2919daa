import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import { basePath } from '../support/wire.ts'
import { readAnswers } from './answers.ts'

/** A bare Fastify server with the measured operations: each request finds its token in a Map, validates its parameters by
 *  a schema, and sends ready bytes with the headers of refdesk. */
const answers = readAnswers(process.env.ANSWERS ?? '')
const tokens = JSON.parse(readFileSync(process.env.TOKENS ?? '', 'utf8')) as string[]
const callers = new Map(tokens.map((token, at) => [token, { sessionId: String(at) }]))

const Uic = Type.Integer({ minimum: 1 })
const routes = {
  '/port/v1/users/me': {},
  '/ref/v1/instruments': { querystring: Type.Object({ Keywords: Type.String({ maxLength: 200 }) }) },
  '/ref/v1/instruments/details/:Uic/:AssetType': { params: Type.Object({ Uic, AssetType: Type.String() }) },
  '/ref/v1/instruments/contractoptionspaces/:OptionRootId': {
    params: Type.Object({ OptionRootId: Uic }),
    querystring: Type.Object({
      OptionSpaceSegment: Type.Enum(['AllDates', 'DefaultDates', 'SpecificDates', 'UnderlyingUics']),
      ExpiryDates: Type.Array(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), { maxItems: 100 }),
    }),
  },
}

const server = fastify()
server.decorateRequest('caller', null)
server.addHook('onRequest', (request, reply, done) => {
  const caller = callers.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
  if (!caller) return reply.code(401).send()
  Object.assign(request, { caller })
  done()
})
for (const [path, schema] of Object.entries(routes))
  server.get(`${basePath}${path}`, { schema }, (request, reply) => {
    const found = answers.get(request.url)
    return found ? reply.headers(found.headers).send(found.body) : reply.callNotFound()
  })
await server.listen({ port: Number(process.env.PORT), host: 'localhost' })
