import type { LoadContext } from './context.ts'
import { Lane } from './lane.ts'
import { beginSession, type Session } from './session.ts'
import type { Cookies } from './sign-in.ts'

const maxKept = 4

/** A user who signs in, refreshes, reads, signs out, and keeps some sessions for later. */
export class SessionLane extends Lane {
  readonly #context: LoadContext
  readonly #user: string
  #cookies: Cookies = new Map()
  #session: Session | undefined
  #kept: Session[] = []

  constructor(context: LoadContext, user: string, pauseMs: number) {
    super(context.random, pauseMs)
    this.#context = context
    this.#user = user
  }

  protected override async step(): Promise<void> {
    const { random } = this.#context
    if (this.#session && (this.#session.isOver || !this.#session.isOfNow)) this.#leave(this.#session)
    const session = this.#session
    if (!session) return this.#begin()
    const roll = random.next()
    if (roll < 0.4) await session.refresh(1)
    else if (roll < 0.6) await session.refresh(random.whole(2, 3))
    else if (roll < 0.78) await session.read()
    else if (roll < 0.86) await session.revoke()
    else if (roll < 0.92) await session.replayCode()
    else this.#leave(session)
  }

  /** Every session that did not end must refresh, and its token must work at both nodes. */
  protected override async check(): Promise<void> {
    const all = [...this.#kept, ...(this.#session ? [this.#session] : [])].filter(
      ({ isOver, isOfNow }) => !isOver && isOfNow,
    )
    await Promise.all(all.map((session) => this.#checkOne(session)))
    this.#kept = this.#kept.filter(({ isOver }) => !isOver)
  }

  async #checkOne(session: Session): Promise<void> {
    await session.refresh(1)
    if (session.isOver) return
    session.mayHaveEnded = false
    await Promise.all([session.read(0), session.read(1)])
  }

  async #begin(): Promise<void> {
    const { random } = this.#context
    // A new browser asks for the password, which takes the service long.
    if (random.chance(0.2)) this.#cookies = new Map()
    const count = random.chance(0.3) ? random.whole(2, 3) : 1
    this.#session = await beginSession(this.#context, this.#user, this.#cookies, count)
  }

  /** Of a time that was travelled to nothing is kept, not even the cookies. */
  #leave(session: Session): void {
    if (session.era !== 0 || !session.isOfNow) this.#cookies = new Map()
    if (!session.isOver && session.era === 0) this.#kept.push(session)
    if (this.#kept.length > maxKept) this.#kept.shift()
    this.#session = undefined
  }
}
