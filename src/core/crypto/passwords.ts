import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../problem.ts'
import { randomHex } from './keys.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes. About 30 ms of a core, off the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const longestQueue = 200
export const maxPasswordLength = 1_000

export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Whether a password is the one of a hash; takes as long when there is no hash. */
export type MatchPassword = (passwordHash: string | null | undefined, password: string) => Promise<boolean>

/** Checks passwords, a few at a time: a flood of sign-ins waits in a bounded line instead of taking the machine. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** What an unknown user is checked against, so that it takes as long as a wrong password. */
  readonly #nobody = hashPassword(randomHex())

  /** Does work that checks a password when it is its turn. */
  async inTurn<T>(work: (matches: MatchPassword) => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work((passwordHash, password) => this.#matches(passwordHash, password))
    } finally {
      this.#leave()
    }
  }

  async #matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const right = await verify(passwordHash ?? (await this.#nobody), password.slice(0, maxPasswordLength))
    return right && passwordHash != null && password.length <= maxPasswordLength
  }

  async #enter(): Promise<void> {
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    if (this.#waiting.length >= longestQueue) throw unavailable(5)
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands its place to the next in line; only without one the place is free. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}
