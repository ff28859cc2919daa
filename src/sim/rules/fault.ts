/** A fault that is injected into the requests of an app. */
export type Fault = Readonly<{
  appKey: string
  kind: FaultKind
  percent: number
  /** Only for Slow. */
  delaySeconds: number | undefined
  /** Affects only requests to this service group; all if undefined. */
  group: string | undefined
  /** In real time. */
  endsAt: Temporal.Instant
}>

export const faultKinds = ['RateLimited', 'Unavailable', 'Slow', 'Dropped', 'ExpiredToken'] as const
export type FaultKind = (typeof faultKinds)[number]

export const defaultDelaySeconds = 5

export const hasEnded = (fault: Fault, real: Temporal.Instant): boolean =>
  Temporal.Instant.compare(fault.endsAt, real) <= 0

/** Whether a fault affects a request; `chance` is at least 0 and below 1. */
export function affects(fault: Fault, group: string, real: Temporal.Instant, chance: number): boolean {
  if (hasEnded(fault, real)) return false
  if (fault.group !== undefined && fault.group !== group) return false
  return chance * 100 < fault.percent
}

/** Faults never affect the operations that remove them (§11.3). */
export const isExempt = (path: string): boolean => /^\/x\/v1\/(clock|faults|reset|snapshots)(\/|$)/.test(path)

export function checkFault(fault: { Kind: FaultKind; DelaySeconds?: number }): Record<string, string[]> {
  if (fault.DelaySeconds === undefined || fault.Kind === 'Slow') return {}
  return { DelaySeconds: [`Is only for the Kind Slow; leave it out with ${fault.Kind}.`] }
}
