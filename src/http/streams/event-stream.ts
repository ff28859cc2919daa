import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Why a stream ends. After `signed out`, the token no longer works, and after `cursor expired` the cursor; after all others,
 *  readers may connect again. */
export type Ending = 'signed out' | 'rights changed' | 'reconnect' | 'closing' | 'too slow' | 'cursor expired'

/** The body of a response in the format text/event-stream. Events wait until the connection takes them. */
export abstract class EventStream extends Readable {
  protected isWanted = false
  /** When the connection last took something, or had nothing to take. */
  #movedAt = performance.now()
  #endedAt: number | undefined

  constructor() {
    super({ highWaterMark: 16_384 })
    // Browsers connect again after this many milliseconds.
    this.push('retry: 1000\n\n')
  }

  /** Sends what waits, while the connection takes it. */
  protected abstract sendWaiting(): void
  /** What a heartbeat sends. */
  protected heartbeat(): string {
    return ': still here\n\n'
  }

  /** Nothing may be written after the end, even if the connection has not taken the rest yet. */
  get isOver(): boolean {
    return this.#endedAt !== undefined
  }

  /** For how long the connection has taken nothing of what waits for it. */
  idleMs(now: number): number {
    return this.isWanted ? 0 : now - this.#movedAt
  }

  /** For how long it has been over, without being closed. */
  overMs(now: number): number {
    return this.#endedAt === undefined ? 0 : now - this.#endedAt
  }

  beat(): void {
    if (this.isWanted && !this.isOver) this.send(this.heartbeat())
  }

  /** Says why, and ends. */
  finish(reason: Ending): void {
    if (this.destroyed || this.isOver) return
    this.#endedAt = performance.now()
    this.push(`event: end\ndata: ${JSON.stringify({ Reason: reason })}\n\n`)
    this.push(null)
  }

  override _read(): void {
    this.isWanted = true
    this.#movedAt = performance.now()
    if (!this.isOver) this.sendWaiting()
  }

  protected send(text: string): void {
    this.isWanted = this.push(text)
    this.#movedAt = performance.now()
  }
}

/** The head of a stream may have been sent before the service began to close, and so without `Connection: close`. */
export function closeWhenDraining({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>, reply: FastifyReply): void {
  reply.raw.once('finish', () => void (server.draining && raw.socket.end()))
}

/** Sends a stream until it, the connection or the service ends. */
export function sendEventStream(
  request: Pick<FastifyRequest, 'raw' | 'server'>,
  reply: FastifyReply,
  live: EventStream,
): FastifyReply {
  reply.raw.once('close', () => live.destroy())
  closeWhenDraining(request, reply)
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(live)
}

/** The id of the event that a reader received last. Browsers reset it with an empty one, so that is none. */
export function lastEventId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const id = headers['last-event-id']
  return id ? String(id) : undefined
}
