import type { SecretTimes } from './secret-times.ts'

type Secret = SecretTimes & Readonly<{ id: number }>

export type Rotation = Readonly<{
  end: Temporal.Instant
  /** Would have been valid longer and now expire then. */
  shortened: readonly number[]
  /** Would have started only then, so they are deleted. */
  withdrawn: readonly number[]
  /** Had expired and make room for the new one. */
  cleared: readonly number[]
}>

/** Plans a rotation: every other secret expires when the overlap ends, at the latest. Expired ones are deleted only if the
 *  limit requires it. Undefined: no room even then. */
export function planRotation(
  secrets: readonly Secret[],
  now: Temporal.Instant,
  overlapMinutes: number,
  max: number,
): Rotation | undefined {
  const end = now.add({ minutes: overlapMinutes })
  const withdrawn = secrets.filter(({ validFrom }) => isUpTo(end, validFrom))
  const kept = secrets.filter((secret) => !withdrawn.includes(secret))
  const hasExpired = ({ validUntil }: Secret) => isUpTo(validUntil, now) || isUpTo(end, now)
  const cleared = kept.length < max ? [] : kept.filter(hasExpired)
  if (kept.length - cleared.length >= max) return undefined
  const shortened = kept.filter((secret) => !cleared.includes(secret) && !isUpTo(secret.validUntil, end))
  return { end, shortened: ids(shortened), withdrawn: ids(withdrawn), cleared: ids(cleared) }
}

const ids = (secrets: readonly Secret[]): number[] => secrets.map(({ id }) => id)

const isUpTo = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) <= 0

const minutesOf: Readonly<Record<string, number>> = { d: 24 * 60, h: 60, m: 1 }

/** The minutes of a duration such as 7d, 12h or 90m; undefined if it is not one. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([dhm])$/.exec(text) ?? []
  const minutes = minutesOf[unit]
  return minutes === undefined ? undefined : Number(count) * minutes
}
