import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'

/** One of the callers that make the load, one step after another. What it has written it checks itself, between two
 *  steps, because only then it knows what must be there. */
export abstract class Lane {
  readonly #random: Random
  readonly #pauseMs: number
  #isStopped = false
  #due: PromiseWithResolvers<void> | undefined

  constructor(random: Random, pauseMs: number) {
    this.#random = random
    this.#pauseMs = pauseMs
  }

  protected abstract step(): Promise<void>
  /** Everything acknowledged must be there. Called when no fault is under way. */
  protected abstract check(): Promise<void>

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const due = this.#due
      try {
        await (due ? this.check() : this.step())
      } catch (error) {
        due?.reject(error)
        if (!due) throw error
      }
      if (due) {
        this.#due = undefined
        due.resolve()
      }
      await sleep(this.#random.between(0, 2 * this.#pauseMs))
    }
    this.#due?.resolve()
  }

  /** Resolves when the lane has checked what it wrote. */
  verify(): Promise<void> {
    this.#due ??= Promise.withResolvers<void>()
    return this.#due.promise
  }

  stop(): void {
    this.#isStopped = true
  }
}
