import { isBefore } from '../../core/clock.ts'

export type SecretTimes = Readonly<{ validFrom: Temporal.Instant; validUntil: Temporal.Instant }>

/** A secret ends in the future, after it starts, and at most two years later (§8.4). Returns errors by field. */
export function checkSecretTimes({ validFrom, validUntil }: SecretTimes, now: Temporal.Instant) {
  const reasons = [
    ...(isAfter(validUntil, now) ? [] : ['Must be in the future.']),
    ...(isAfter(validUntil, validFrom) ? [] : ['Must be after ValidFrom.']),
    ...(isAfter(validUntil, twoYearsAfter(validFrom)) ? ['Must be at most two years after ValidFrom.'] : []),
  ]
  return reasons.length === 0 ? {} : { ValidUntil: reasons }
}

/** Valid from ValidFrom until just before ValidUntil, in whole milliseconds. */
export const isValidAt = ({ validFrom, validUntil }: SecretTimes, nowMs: number): boolean =>
  validFrom.epochMilliseconds <= nowMs && nowMs < validUntil.epochMilliseconds

const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean => isBefore(b, a)

const twoYearsAfter = (instant: Temporal.Instant): Temporal.Instant =>
  instant.toZonedDateTimeISO('UTC').add({ years: 2 }).toInstant()
