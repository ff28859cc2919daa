import { LRUCache } from 'lru-cache'
import { singleFlight } from '../core/async/single-flight.ts'
import type { SecretUse } from './store/last-used.ts'

/** Returns the ids of secrets it had to leave for the next write. */
type Write = (uses: readonly SecretUse[]) => Promise<readonly number[]>
type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }

const intervalMs = 30_000
const maxSecrets = 20_000

/** Records when each secret was last used. Written in bulk every 30 seconds and on stop, so that no request waits for it or
 *  fails because of it. Failed writes are retried. */
export class LastUsed {
  readonly #write: Write
  readonly #uses: LRUCache<number, SecretUse>
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #log: Log | undefined

  constructor(write: Write, max = maxSecrets) {
    this.#write = write
    this.#uses = new LRUCache({ max })
  }

  /** Keeps the hash too: a regenerated secret keeps its id but has not been used. */
  record({ id, sha256 }: { id: number; sha256: Uint8Array }, atMs: number): void {
    this.#uses.set(id, { secretId: id, sha256, atMs })
  }

  /** Never throws. */
  readonly flush = singleFlight(async () => {
    const uses = [...this.#uses.values()]
    if (uses.length === 0) return
    try {
      const left = new Set(await this.#write(uses))
      for (const use of uses) {
        const isLatest = this.#uses.peek(use.secretId) === use
        if (isLatest && !left.has(use.secretId)) this.#uses.delete(use.secretId)
      }
      if (this.#isFailing) this.#log?.info({}, 'recording the use of secrets again')
      this.#isFailing = false
    } catch (error) {
      // Logged once per outage.
      if (!this.#isFailing)
        this.#log?.warn({ reason: (error as Error).message }, 'cannot record the use of secrets; will retry')
      this.#isFailing = true
    }
  })

  start(log: Log): void {
    this.#log = log
    this.#timer ??= setInterval(() => void this.flush(), intervalMs).unref()
  }

  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.flush()
  }
}
