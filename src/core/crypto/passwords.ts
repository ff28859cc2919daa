import { hash, verify } from '@node-rs/argon2'
import { FairQueue } from '../async/fair-queue.ts'
import { rateLimitAddress } from '../network/address.ts'
import { randomHex } from './keys.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes. About 30 ms of a core, off the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const maxWaiting = 200
/** Of new passwords, in records and commands. */
export const passwordLengths = { minLength: 8, maxLength: 1_000 } as const
const maxPasswordLength = passwordLengths.maxLength

/** For commands; the schema of records checks the same. */
export function checkPasswordLength(password: string): void {
  const { minLength, maxLength } = passwordLengths
  if (password.length < minLength) throw new Error(`The password is too short. Use at least ${minLength} characters.`)
  if (password.length > maxLength) throw new Error(`The password is too long. Use at most ${maxLength} characters.`)
}

export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Whether a password matches a hash. Takes equally long without a hash. */
type MatchPassword = (passwordHash: string | null | undefined, password: string) => Promise<boolean>

/** One per thread, for everything that hashes or compares passwords. */
const queue = new FairQueue(atOnce, maxWaiting)

/** One per thread too: it costs as much as a sign-in. */
let decoy: Promise<string> | undefined
function decoyOfThread(): Promise<string> {
  decoy ??= hashPassword(randomHex())
  return decoy
}

/** Checks a few passwords at a time, so that a flood of sign-ins waits in a bounded queue and leaves CPU for the rest. */
export class Passwords {
  /** Checked for unknown users, so that they take as long as a wrong password. */
  readonly #decoy = decoyOfThread()

  /** Addresses take turns: a flood from one delays another by one check. */
  inTurn<T>(address: string, work: (matches: MatchPassword) => Promise<T>): Promise<T> {
    return queue.run(rateLimitAddress(address), () =>
      work((passwordHash, password) => this.#matches(passwordHash, password)),
    )
  }

  async #matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const right = await verify(passwordHash ?? (await this.#decoy), password.slice(0, maxPasswordLength))
    return right && passwordHash != null && password.length <= maxPasswordLength
  }
}
