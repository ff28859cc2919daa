/** The only source of the time. Everything else receives a clock or an instant. */
export interface Clock {
  now(): Temporal.Instant
  /** Whole milliseconds since 1970. */
  nowMs(): number
}

/** In microseconds, like PostgreSQL and the API: an instant in a response equals the stored one. */
export const systemClock: Clock = {
  now: () => Temporal.Now.instant().round({ smallestUnit: 'microsecond', roundingMode: 'floor' }),
  nowMs: () => Date.now(),
}

/** How the service's time differs from real time: by an offset, or frozen at an instant. */
export type TimeShift = Readonly<{ offsetMicroseconds: number; frozenAt: Temporal.Instant | undefined }>

export const realTime: TimeShift = { offsetMicroseconds: 0, frozenAt: undefined }

/** The time of the service: real time in live; in sim it can travel. Limits, waits and signing keys use `real`. */
export class TravelClock implements Clock {
  readonly real: Clock
  #shift = realTime
  #travelCount = 0

  constructor(real: Clock) {
    this.real = real
  }

  now(): Temporal.Instant {
    return applyShift(this.#shift, this.real.now())
  }

  nowMs(): number {
    const { offsetMicroseconds, frozenAt } = this.#shift
    if (frozenAt) return frozenAt.epochMilliseconds
    return offsetMicroseconds === 0 ? this.real.nowMs() : this.now().epochMilliseconds
  }

  /** The time of the service at a real time, both in whole milliseconds. */
  msAt(realMs: number): number {
    const { offsetMicroseconds, frozenAt } = this.#shift
    return frozenAt ? frozenAt.epochMilliseconds : realMs + Math.floor(offsetMicroseconds / 1_000)
  }

  get shift(): TimeShift {
    return this.#shift
  }

  /** Increases with every travel, so that caches of time-dependent results notice it. */
  get travelCount(): number {
    return this.#travelCount
  }

  travel(shift: TimeShift): void {
    this.#shift = shift
    this.#travelCount += 1
  }
}

export function applyShift({ offsetMicroseconds, frozenAt }: TimeShift, real: Temporal.Instant): Temporal.Instant {
  if (frozenAt) return frozenAt
  return offsetMicroseconds === 0 ? real : real.add({ microseconds: offsetMicroseconds })
}

/** How far the clocks of two nodes may differ. Instants further ahead come from a future that was travelled to. */
export const maxSkewSeconds = 60

export const isFromFuture = (instant: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(instant, plusSeconds(now, maxSkewSeconds)) > 0

export const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0

export function plusSeconds(instant: Temporal.Instant, seconds: number): Temporal.Instant {
  return instant.add({ milliseconds: Math.round(seconds * 1000) })
}

/** Whole seconds since 1970, as JWT claims count them (RFC 7519 §2, NumericDate). */
export function epochSeconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}

/** Date-times are sent with six fractional digits (§2.2). */
export const wireTime = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'microsecond' })

/** `2026-03-01T12:00:00.123Z`, for milliseconds since 1970. */
export const isoMilliseconds = (epochMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toString({ smallestUnit: 'millisecond' })
