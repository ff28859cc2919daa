/** What is made to go wrong for the calls of an app. */
export type Fault = Readonly<{
  appKey: string
  kind: FaultKind
  percent: number
  /** Of Slow only. */
  delaySeconds: number | undefined
  /** Calls of this service group only; of all where there is none. */
  group: string | undefined
  /** In real time. */
  endsAt: Temporal.Instant
}>

export const faultKinds = ['RateLimited', 'Unavailable', 'Slow', 'Dropped', 'ExpiredToken'] as const
export type FaultKind = (typeof faultKinds)[number]

export const defaultDelaySeconds = 5

export const isOver = (fault: Fault, real: Temporal.Instant): boolean =>
  Temporal.Instant.compare(fault.endsAt, real) <= 0

/** Whether a call meets the fault; `chance` is from 0 up to, not including, 1. */
export function strikes(fault: Fault, group: string, real: Temporal.Instant, chance: number): boolean {
  if (isOver(fault, real)) return false
  if (fault.group !== undefined && fault.group !== group) return false
  return chance * 100 < fault.percent
}

/** What takes a fault away, and what repairs the rest, is never hit by one. */
export const isSpared = (path: string): boolean => /^\/x\/v1\/(clock|faults|reset)(\/|$)/.test(path)

/** What is wrong with a fault as it is asked for; empty when nothing is. */
export function faultFaults(asked: { Kind: FaultKind; DelaySeconds?: number }): Record<string, string[]> {
  const isIdle = asked.DelaySeconds !== undefined && asked.Kind !== 'Slow'
  return isIdle ? { DelaySeconds: [`Belongs to the Kind Slow; leave it out with ${asked.Kind}.`] } : {}
}
