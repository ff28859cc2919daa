import { type Html, html } from '../../http/html/html.ts'
import { notice, tabs } from '../shared/elements.ts'

const views = {
  sim: ['Clock and faults', '/console/sim'],
  scenarios: ['Scenarios', '/console/sim/scenarios'],
  snapshots: ['Snapshots', '/console/sim/snapshots'],
} as const

type View = keyof typeof views

export const pathOf = (view: View): string => views[view][1]

/** Only users who may change the clock can open the snapshots. */
export function simViews(current: View, mayControl: boolean): Html {
  const shown = Object.entries(views).filter(([view]) => mayControl || view !== 'snapshots')
  return tabs(
    'Views of sim',
    shown.map(([view, [name, href]]) => ({ name, href, current: view === current })),
  )
}

export const onlyOperators = notice(
  'warn',
  html`Only operators may change the clock, inject faults, load scenarios, set positions and reset this service (<code>SIM_CONTROLS=operators</code>).`,
)
