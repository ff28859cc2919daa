import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { describe, named, oneOf } from '../../core/schema.ts'
import type { Db } from '../../database/open.ts'
import { addOperation, operation, type RequestOf } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { readTradeLevel, writeTradeLevel } from '../store/sessions.ts'

const path = '/root/v1/sessions/capabilities'

const TradeLevel = named(
  'TradeLevel',
  oneOf('FullTradingAndChat', 'OrdersOnly'),
  'What the session is used for. It changes nothing else.',
)
const Capabilities = Type.Object(
  {
    AuthenticationLevel: describe(oneOf('Authenticated'), 'Always Authenticated.'),
    DataLevel: describe(oneOf('Standard'), 'Always Standard: there are no prices.'),
    TradeLevel,
  },
  {
    title: 'SessionCapabilities',
    description: 'What the session can do.',
    examples: [{ AuthenticationLevel: 'Authenticated', DataLevel: 'Standard', TradeLevel: 'OrdersOnly' }],
  },
)
const closed = { additionalProperties: false, examples: [{ TradeLevel: 'FullTradingAndChat' }] }

export const getCapabilities = operation({
  method: 'GET',
  path,
  operationId: 'getCapabilities',
  summary: 'Get the capabilities of the session',
  description:
    'Returns the levels of the session of the token. The trade level is OrdersOnly until the app changes it.',
  responses: { 200: Capabilities },
})

const change = {
  path,
  description:
    'Sets the trade level of the session of the token, until the session ends. Other sessions keep theirs, and a read-only token may do this too.',
  responses: { 202: Type.Null({ description: 'Done.' }) },
} as const

export const replaceCapabilities = operation({
  ...change,
  method: 'PUT',
  operationId: 'replaceCapabilities',
  summary: 'Replace the capabilities of the session',
  body: Type.Object({ TradeLevel }, { ...closed, title: 'NewSessionCapabilities' }),
})

export const changeCapabilities = operation({
  ...change,
  method: 'PATCH',
  operationId: 'changeCapabilities',
  summary: 'Change the capabilities of the session',
  body: Type.Object({ TradeLevel: Type.Optional(TradeLevel) }, { ...closed, title: 'SessionCapabilitiesChange' }),
})

/** What client libraries read and set when they start. Kept with the session, so that every node knows it. */
export function capabilityRoutes(api: Server, db: Db): void {
  addOperation(api, getCapabilities, async (request) => {
    const chosen = await readTradeLevel(db, callerOf(request).sessionId)
    const levels = { AuthenticationLevel: 'Authenticated', DataLevel: 'Standard' } as const
    return { ...levels, TradeLevel: (chosen ?? 'OrdersOnly') as Static<typeof TradeLevel> }
  })
  addOperation(api, replaceCapabilities, (request, reply) => handleChange(db, request, reply))
  addOperation(api, changeCapabilities, (request, reply) => handleChange(db, request, reply))
}

async function handleChange(db: Db, request: RequestOf<typeof changeCapabilities>, reply: FastifyReply) {
  const { TradeLevel: level } = request.body
  if (level !== undefined) await writeTradeLevel(db, callerOf(request).sessionId, level)
  return reply.code(202).send()
}
