import type { Call, Outcome } from './caller.ts'
import type { LoadContext } from './context.ts'
import { beginSession, type Session } from './session.ts'

const refreshEveryMs = 60_000

/** Calls the API as a user who stays signed in. */
export class TokenHolder {
  readonly #context: LoadContext
  readonly #user: string
  #session: Session | undefined
  #refreshedAt = 0

  constructor(context: LoadContext, user: string) {
    this.#context = context
    this.#user = user
  }

  /** Undefined if there is no session now, or if the clock of the service moved meanwhile. */
  async send(call: Call): Promise<Outcome | undefined> {
    const session = await this.#current()
    if (!session) return undefined
    const expected = [...call.expected, 401]
    const outcome = await this.#context.caller.send({ ...call, token: session.access, expected })
    if (this.#context.clocks.era !== session.era) {
      this.#session = undefined
      return outcome.status === 401 ? undefined : outcome
    }
    if (outcome.status !== 401) return outcome
    if (!session.mayHaveEnded && this.#context.clocks.isSettled)
      this.#context.findings.add('wrong answer', `${call.path} was answered 401 with a token that is valid`)
    this.#session = undefined
    return undefined
  }

  async #current(): Promise<Session | undefined> {
    const session = this.#session
    if (!session || session.isOver || !session.isOfNow) {
      this.#session = await beginSession(this.#context, this.#user, new Map(), 1)
      this.#refreshedAt = performance.now()
      return this.#session
    }
    if (performance.now() - this.#refreshedAt > refreshEveryMs) {
      this.#refreshedAt = performance.now()
      await session.refresh(1)
    }
    return session.isOver ? undefined : session
  }
}
