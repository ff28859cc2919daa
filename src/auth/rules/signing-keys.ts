export type KeyTimes = Readonly<{ kid: string; activeFrom: Temporal.Instant | null }>

/** A key signs for 90 days, then the next one takes over, which verifiers know by then. */
export const activeDays = 90
/** The longest validity of an access token is a day; an hour more covers clock differences. */
export const retiringSeconds = 86_400 + 3_600

export type KeyState = 'next' | 'active' | 'retiring' | 'gone'

/** The states of a key: next → active → retiring → gone. The latest started key is active. It retires when its successor
 *  starts and is gone when the last token it can have signed has expired. */
export function keyStates(keys: readonly KeyTimes[], now: Temporal.Instant): Map<string, KeyState> {
  const dated = keys
    .flatMap((key) => (key.activeFrom ? [{ kid: key.kid, from: key.activeFrom }] : []))
    .sort((a, b) => Temporal.Instant.compare(b.from, a.from))
  // If the clock is behind, no key may have started; then the first one signs anyway.
  const reached = dated.filter(({ from }) => isReached(from, now))
  const started = reached.length > 0 ? reached : dated.slice(-1)
  const states = new Map<string, KeyState>(keys.map((key) => [key.kid, 'next']))
  let successorFrom: Temporal.Instant | undefined
  for (const { kid, from } of started) {
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
