import type { SessionState } from './probe.ts'

type Client = Readonly<{ bytesMoved: number }>

/** How long nothing of a COPY may arrive. Longer than a statement may be lost, because its data may be sent again. */
export const stalledMs = 15_000

/** Finds COPYs whose data the network has lost: PostgreSQL waits for it, or has ended the session, and nothing has moved since
 *  an earlier look. */
export class StalledCopies {
  readonly #last = new WeakMap<Client, Readonly<{ progress: string; since: number }>>()

  has(client: Client, session: SessionState | 'ended' | undefined, now: number): boolean {
    const isEnded = session === 'ended'
    if (!isEnded && (session?.state !== 'active' || !session.isReading)) {
      this.#last.delete(client)
      return false
    }
    const progress = `${client.bytesMoved} ${isEnded ? session : session.copied}`
    const last = this.#last.get(client)
    if (last?.progress === progress) return now - last.since > stalledMs
    this.#last.set(client, { progress, since: now })
    return false
  }
}
