import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is needed of node:http. Not an import, which would read all of its exports: its `WebSocket` loads fetch and all that
 *  belongs to it, 3 MB in every thread. */
export const { createServer, STATUS_CODES: reasonPhrases } = process.getBuiltinModule('node:http')

type Answering = Socket & { _httpMessage?: ServerResponse | null }

/** The response that is being made or sent on a connection of a server. */
export const responseOn = (socket: Socket): ServerResponse | undefined =>
  (socket as Answering)._httpMessage ?? undefined

/** Tells node:http that the connection is not idle, or that it is again. */
export function setResponseOn(socket: Socket, response: ServerResponse | null): void {
  ;(socket as Answering)._httpMessage = response
}
