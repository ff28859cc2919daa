/** Faults of a secret's validity by field (contract §8): it ends in the future, after it begins, and at most two years
 *  after that; it may begin in the past or in the future. */
export function faultsOfTimes(
  { validFrom, validUntil }: Readonly<{ validFrom: Temporal.Instant; validUntil: Temporal.Instant }>,
  now: Temporal.Instant,
): Record<string, string[]> {
  const reasons = [
    ...(isAfter(validUntil, now) ? [] : ['Must be in the future.']),
    ...(isAfter(validUntil, validFrom) ? [] : ['Must be after ValidFrom.']),
    ...(isAfter(validUntil, twoYearsAfter(validFrom)) ? ['Must be at most two years after ValidFrom.'] : []),
  ]
  return reasons.length === 0 ? {} : { ValidUntil: reasons }
}

const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) > 0

const twoYearsAfter = (instant: Temporal.Instant): Temporal.Instant =>
  instant.toZonedDateTimeISO('UTC').add({ years: 2 }).toInstant()
