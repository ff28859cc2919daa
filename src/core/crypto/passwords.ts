import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../problem.ts'
import { randomHex } from './keys.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes. About 30 ms of a core, off the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const maxWaiting = 200
const maxPasswordLength = 1_000

export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Whether a password matches a hash. Takes equally long without a hash. */
type MatchPassword = (passwordHash: string | null | undefined, password: string) => Promise<boolean>

/** Checks a few passwords at a time, so that a flood of sign-ins waits in a bounded queue and leaves CPU for the rest. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** Checked for unknown users, so that they take as long as a wrong password. */
  readonly #decoy = hashPassword(randomHex())

  async inTurn<T>(work: (matches: MatchPassword) => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work((passwordHash, password) => this.#matches(passwordHash, password))
    } finally {
      this.#leave()
    }
  }

  async #matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const right = await verify(passwordHash ?? (await this.#decoy), password.slice(0, maxPasswordLength))
    return right && passwordHash != null && password.length <= maxPasswordLength
  }

  async #enter(): Promise<void> {
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    if (this.#waiting.length >= maxWaiting) throw unavailable(5)
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}
