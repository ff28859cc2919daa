import { connect } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { Caller } from '../../src/core/caller.ts'
import { wireProfiles } from '../../src/core/wire-profile.ts'
import { buildServer, type ServerOptions } from '../../src/http/server.ts'
import type { Server } from '../../src/http/typed-server.ts'

/** A server without routes that logs into an array. */
export function testServer(options: Partial<ServerOptions> = {}): { server: Server; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const log = pino({ level: 'debug' }, sink)
  return { server: buildServer({ log, nodeName: 'n1', trustProxy: [], profile: wireProfiles.off, ...options }), lines }
}

export const testCaller: Caller = {
  UserKey: 'user',
  ClientKey: 'client',
  sessionId: 'session1',
  appKey: 'app1',
  mayWrite: true,
  expiresAt: 4_000_000_000,
  isDayToken: false,
}

/** Sends raw bytes to the server and returns everything it sends until it closes the connection. */
export async function sendRaw(server: Server, text: string): Promise<string> {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const socket = connect(address.port, '127.0.0.1', () => socket.write(text))
  let response = ''
  for await (const chunk of socket) response += chunk
  return response
}
