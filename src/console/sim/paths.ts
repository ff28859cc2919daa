import { html } from '../../http/html/html.ts'
import { notice } from '../shared/elements.ts'

const paths = {
  sim: '/console/sim',
  faults: '/console/sim/faults',
  scenarios: '/console/sim/scenarios',
  snapshots: '/console/sim/snapshots',
} as const

export const pathOf = (view: keyof typeof paths): string => paths[view]

export const onlyOperators = notice(
  'warn',
  html`Only operators may change the clock, inject faults, load scenarios, set positions and reset this service (<code>SIM_CONTROLS=operators</code>). You become one with <code>refdesk users operator NAME</code>; then sign in again.`,
)
