export type KeyTimes = Readonly<{ kid: string; activeFrom: Temporal.Instant | undefined }>

/** A key signs for 90 days; then the next one, which verifiers know by then, takes over. */
export const activeDays = 90
/** No access token lives longer than a day; an hour more covers clocks that differ. */
export const retiringSeconds = 86_400 + 3_600

export type KeyState = 'next' | 'active' | 'retiring' | 'gone'

/** The life of each key: next → active → retiring → gone. The latest that has begun is active; an earlier one
 *  retires when its successor begins and is gone when the last token it can have signed has ended. */
export function keyStates(keys: readonly KeyTimes[], now: Temporal.Instant): Map<string, KeyState> {
  const dated = keys
    .flatMap((key) => (key.activeFrom ? [{ kid: key.kid, from: key.activeFrom }] : []))
    .sort((a, b) => Temporal.Instant.compare(b.from, a.from))
  // A clock that is behind may know of none that has begun: then the first to begin signs all the same.
  const reached = dated.filter(({ from }) => isReached(from, now))
  const begun = reached.length > 0 ? reached : dated.slice(-1)
  const states = new Map<string, KeyState>(keys.map((key) => [key.kid, 'next']))
  let successorFrom: Temporal.Instant | undefined
  for (const { kid, from } of begun) {
    states.set(kid, stateAfter(successorFrom, now))
    successorFrom = from
  }
  return states
}

function stateAfter(retiredAt: Temporal.Instant | undefined, now: Temporal.Instant): KeyState {
  if (!retiredAt) return 'active'
  return isReached(retiredAt.add({ seconds: retiringSeconds }), now) ? 'gone' : 'retiring'
}

export function isDueForRotation(activeFrom: Temporal.Instant, now: Temporal.Instant): boolean {
  return isReached(activeFrom.add({ hours: activeDays * 24 }), now)
}

const isReached = (at: Temporal.Instant, now: Temporal.Instant): boolean => Temporal.Instant.compare(at, now) <= 0
