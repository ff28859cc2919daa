import { singleFlight } from '../core/single-flight.ts'
import type { SecretUse } from './store/last-used.ts'

type Write = (uses: readonly SecretUse[]) => Promise<readonly number[]>
type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }

const everyMs = 30_000
const most = 20_000

/** When each secret last proved an app: kept here, and written for all of them together every half minute and at the end, so
 *  that no request waits for it or fails by it. What could not be written is written the next time; beyond so many secrets
 *  the ones that were used longest ago are forgotten. */
export class LastUsed {
  readonly #write: Write
  readonly #most: number
  readonly #uses = new Map<number, SecretUse>()
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #log: Log | undefined

  /** `write` tells which secrets it had to leave for the next time. */
  constructor(write: Write, options: { most?: number } = {}) {
    this.#write = write
    this.#most = options.most ?? most
  }

  /** Told by its hash too: a secret that is made anew keeps its id, and nobody has used the new one. */
  note({ SecretId, sha256 }: { SecretId: number; sha256: Uint8Array }, at: Temporal.Instant): void {
    // Set anew, it becomes the last of the map: the first is then the one that was used longest ago.
    this.#uses.delete(SecretId)
    for (const oldest of this.#uses.keys()) {
      if (this.#uses.size < this.#most) break
      this.#uses.delete(oldest)
    }
    this.#uses.set(SecretId, { secretId: SecretId, sha256, at })
  }

  /** Never throws: what this is about is only worth knowing. */
  readonly flush = singleFlight(async () => {
    const uses = [...this.#uses.values()]
    if (uses.length === 0) return
    try {
      const left = new Set(await this.#write(uses))
      for (const use of uses) {
        const isLatest = this.#uses.get(use.secretId) === use
        if (isLatest && !left.has(use.secretId)) this.#uses.delete(use.secretId)
      }
      if (this.#isFailing) this.#log?.info({}, 'the use of secrets is noted again')
      this.#isFailing = false
    } catch (error) {
      // Said once per outage.
      if (!this.#isFailing)
        this.#log?.warn({ reason: (error as Error).message }, 'the use of secrets cannot be noted; trying again')
      this.#isFailing = true
    }
  })

  start(log: Log): void {
    this.#log = log
    this.#timer ??= setInterval(() => void this.flush(), everyMs).unref()
  }

  /** Writes the rest. */
  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.flush()
  }

  get size(): number {
    return this.#uses.size
  }
}
