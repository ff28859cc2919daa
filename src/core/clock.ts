/** The only place that knows the time. Everything else is handed a clock or an instant. */
export interface Clock {
  now(): Temporal.Instant
}

/** To the microsecond, which is what PostgreSQL keeps and the wire tells: what is answered is what will be read again. */
export const systemClock: Clock = {
  now: () => Temporal.Now.instant().round({ smallestUnit: 'microsecond', roundingMode: 'floor' }),
}

/** A clock that stands still until it is moved; what tests live by. */
export class FixedClock implements Clock {
  #now: Temporal.Instant

  constructor(start: string) {
    this.#now = Temporal.Instant.from(start)
  }

  now(): Temporal.Instant {
    return this.#now
  }

  advance(seconds: number): void {
    this.#now = plusSeconds(this.#now, seconds)
  }
}

export function plusSeconds(instant: Temporal.Instant, seconds: number): Temporal.Instant {
  return instant.add({ milliseconds: Math.round(seconds * 1000) })
}

/** Whole seconds since 1970, as JWT claims count them (RFC 7519 §2, NumericDate). */
export function epochSeconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}

/** Date-times are sent with six fractional digits (contract §2). */
export const wireTime = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'microsecond' })
