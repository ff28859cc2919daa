import { type Clock, plusSeconds } from '../../src/core/clock.ts'

/** A clock that stands still until a test moves it. */
export class FixedClock implements Clock {
  #now: Temporal.Instant

  constructor(start: string) {
    this.#now = Temporal.Instant.from(start)
  }

  now(): Temporal.Instant {
    return this.#now
  }

  nowMs(): number {
    return this.#now.epochMilliseconds
  }

  advance(seconds: number): void {
    this.#now = plusSeconds(this.#now, seconds)
  }
}
