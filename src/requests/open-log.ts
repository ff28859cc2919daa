import type { RequestLog } from '../http/request-log/request-log.ts'
import type { Server } from '../http/typed-server.ts'
import { ThreadsReader } from './peers.ts'
import { LocalReader, type RequestReader } from './reader.ts'
import { RequestStreams, type StreamLimits } from './streams.ts'

export type OpenLog = Readonly<{ reader: RequestReader; streams: RequestStreams }>

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined if the request log is off. */
    requestStreams?: RequestStreams
  }
}

/** The readers of a server's request log, until it closes. The threads of a process read as one. */
export function openLog(
  server: Server,
  log: RequestLog,
  threads: number | undefined,
  limits?: Partial<StreamLimits>,
): OpenLog {
  const own = new LocalReader(log)
  const all = threads === undefined ? undefined : new ThreadsReader(own, threads)
  const reader = all ?? own
  const streams = new RequestStreams(reader, limits)
  server.decorate('requestStreams', { getter: () => streams })
  server.addHook('preClose', async () => streams.close())
  server.addHook('onClose', async () => all?.close())
  return { reader, streams }
}
