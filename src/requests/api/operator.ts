import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { Problem, unknownAddress } from '../../core/problem.ts'
import type { Server } from '../../http/typed-server.ts'
import { isOperatorKey } from '../operator-key.ts'
import type { RequestReader } from '../reader.ts'
import type { RequestStreams } from '../streams.ts'
import { filterOf, pageOf, sendStream } from './requests.ts'
import { LiveQuery, RequestsQuery } from './schema.ts'

/** For commands, which run with the settings of the service: `refdesk log` and `refdesk import`. */
export const operatorPath = '/operator/requests'
export const operatorRevisionPath = '/operator/revision'

type OperatorDependencies = Readonly<{
  masterKey: Buffer
  /** Real time. */
  clock: Pick<Clock, 'nowMs'>
  /** Of the reference data that this node serves. */
  revision(): number
  /** The AppKey of the console. */
  consoleKey: string
  /** Absent if the log is off. */
  log: Readonly<{ reader: RequestReader; streams: RequestStreams }> | undefined
}>

/** The log of all clients and the revision, for those who have MASTER_KEY. Everyone else gets 404. */
export function operatorRoutes(server: Server, deps: OperatorDependencies): void {
  const config = { unlogged: true }
  const openLog = () => {
    if (deps.log) return deps.log
    throw new Problem('NoResultFound', 'The request log is off. Start the service with REQUEST_LOG=on.')
  }
  server.register(async (scope: Server) => {
    scope.addHook('onRequest', (request, _reply, done) =>
      done(isOperatorRequest(deps, request) ? undefined : unknownAddress()),
    )
    scope.get(operatorRevisionPath, { schema: { hide: true }, config }, async () => ({ Revision: deps.revision() }))
    scope.get(operatorPath, { schema: { hide: true, querystring: RequestsQuery }, config }, (request) =>
      pageOf({ ...openLog(), consoleKey: deps.consoleKey }, request.query, undefined, (cursor) => cursor),
    )
    scope.get(
      `${operatorPath}/stream`,
      { schema: { hide: true, querystring: LiveQuery }, config },
      (request, reply) => {
        const filter = filterOf(request.query, deps.consoleKey)
        const reader = { reader: 'operator', selection: { client: undefined, filter } }
        return sendStream(openLog().streams, request, reply as FastifyReply, {
          ...reader,
          findEnding: async () => undefined,
        })
      },
    )
  })
}

function isOperatorRequest({ masterKey, clock }: OperatorDependencies, { headers }: FastifyRequest): boolean {
  const key = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return key !== undefined && isOperatorKey(masterKey, key, clock.nowMs())
}
