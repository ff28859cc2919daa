type Secret = Readonly<{ id: number; validFrom: Temporal.Instant; validUntil: Temporal.Instant }>

/** What a rotation makes of the secrets that an app has. */
export type Rotation = Readonly<{
  /** When the overlap is over. */
  end: Temporal.Instant
  /** Ids of those that would have lived longer and now end then. */
  shortened: readonly number[]
  /** Ids of those that would have begun only then, and so would never be valid. */
  withdrawn: readonly number[]
  /** Ids of those that had ended and make room for the new one. */
  cleared: readonly number[]
}>

/** Before a new secret is made: every other ends at the latest when the overlap is over. What has ended, or
 *  ends now, is removed only when there would be no room else. Undefined: there is no room even then. */
export function planRotation(
  secrets: readonly Secret[],
  now: Temporal.Instant,
  overlapMinutes: number,
  most: number,
): Rotation | undefined {
  const end = now.add({ minutes: overlapMinutes })
  const withdrawn = secrets.filter(({ validFrom }) => isUpTo(end, validFrom))
  const kept = secrets.filter((secret) => !withdrawn.includes(secret))
  const hasEnded = ({ validUntil }: Secret) => isUpTo(validUntil, now) || isUpTo(end, now)
  const ended = kept.length < most ? [] : kept.filter(hasEnded)
  if (kept.length - ended.length >= most) return undefined
  const shortened = kept.filter((secret) => !ended.includes(secret) && !isUpTo(secret.validUntil, end))
  return { end, shortened: ids(shortened), withdrawn: ids(withdrawn), cleared: ids(ended) }
}

const ids = (secrets: readonly Secret[]): number[] => secrets.map(({ id }) => id)

const isUpTo = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) <= 0

const minutesOf: Readonly<Record<string, number>> = { d: 24 * 60, h: 60, m: 1 }

/** Minutes of a duration such as 7d, 12h or 90m; undefined when it is none. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([dhm])$/.exec(text) ?? []
  const minutes = minutesOf[unit]
  return minutes === undefined ? undefined : Number(count) * minutes
}
