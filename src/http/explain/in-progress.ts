import { rateLimitExceeded } from '../../core/problem.ts'

/** An explanation takes longer than the request that it explains. */
const maxOfUser = 2
const maxOfNode = 8

/** Bounds how many explanations are made at once: by a user, and by the node. */
export class InProgress {
  readonly #users = new Map<string, number>()
  #total = 0

  async run<Result>(userKey: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#users.get(userKey) ?? 0
    if (own >= maxOfUser || this.#total >= maxOfNode) throw rateLimitExceeded(1, 'Too many explanations at once.')
    this.#users.set(userKey, own + 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      const left = (this.#users.get(userKey) ?? 1) - 1
      if (left === 0) this.#users.delete(userKey)
      else this.#users.set(userKey, left)
      this.#total -= 1
    }
  }
}
