import type { Environment } from '../../../core/environment.ts'
import type { Moment } from '../../../core/time/wall-clock.ts'
import type { Html } from '../../../http/html/html.ts'
import type { Travel } from '../dependencies.ts'

/** The time of the service in the zone of the page. */
export type ShownClock = Readonly<{ now: Moment; zone: string; travel: Travel | undefined }>

export type Chrome = Readonly<{
  environment: Environment
  /** Whether there is a request log. */
  hasRequestLog: boolean
  user: Readonly<{ name: string; formToken: Html }> | undefined
  isOperator: boolean
  formToken: Html
  /** The page to return to after signing in, or after another zone or user was chosen. */
  next: string
  clock: ShownClock
  /** The zone that the user chose; without one, the page is in that of the browser. */
  chosenZone: string | undefined
  /** Whether the zone of the browser is known. */
  isZoneKnown: boolean
  activeFaults: number
  /** The users that a click switches to (sim with demo data only). */
  demoUsers: readonly string[]
  /** Reload once the browser has stored its time zone. */
  needsZone: boolean
}>
