import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses that each connection still waits for. A caller that pipelines requests waits for several. */
export class PendingResponses {
  readonly #bySocket = new WeakMap<Socket, ServerResponse[]>()

  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const pending = this.#bySocket.getOrInsertComputed(socket, () => [])
    pending.push(response)
    response.once('close', () => void pending.splice(pending.indexOf(response), 1))
  }

  /** The response that is made or sent now. */
  first(socket: Socket): ServerResponse | undefined {
    return this.#bySocket.get(socket)?.[0]
  }
}
