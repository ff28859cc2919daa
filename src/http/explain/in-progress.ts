import { rateLimitExceeded } from '../../core/problem.ts'
import { KeyCounts } from '../limits/key-counts.ts'

/** An explanation takes longer than the request that it explains. */
const maxOfUser = 2
const maxOfNode = 8

/** Bounds how many explanations are made at once: by a user, and by the node. */
export class InProgress {
  readonly #users = new KeyCounts()
  #total = 0

  async run<Result>(userKey: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#users.of(userKey) >= maxOfUser || this.#total >= maxOfNode)
      throw rateLimitExceeded(1, 'Too many explanations at once.')
    this.#users.add(userKey, 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      this.#users.add(userKey, -1)
      this.#total -= 1
    }
  }
}
