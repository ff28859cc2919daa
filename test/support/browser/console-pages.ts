import { demoApps, demoKey } from '../demo.ts'

/** Every page of the console that an address leads to. */
export const consolePages: Record<string, string> = {
  home: '/',
  apps: '/console/apps',
  'app-new': '/console/apps/new',
  app: `/console/apps/${demoApps[0]?.AppKey}`,
  'app-uris': `/console/apps/${demoApps[0]?.AppKey}?tab=uris`,
  'app-connect': `/console/apps/${demoApps[0]?.AppKey}?tab=connect`,
  'app-audit': `/console/apps/${demoApps[0]?.AppKey}/audit`,
  instruments: '/console/instruments',
  'instruments-nothing': '/console/instruments?Keywords=zzzqqq&AssetTypes=Bond',
  instrument: '/console/instruments/1000/Stock',
  'instrument-related': '/console/instruments/1000/Stock/related',
  'instrument-json': '/console/instruments/1000/Stock/json',
  'option-chain': '/console/options/1',
  'futures-space': '/console/futures/5004',
  schedule: '/console/schedule/1000/Stock',
  exchanges: '/console/exchanges',
  exchange: '/console/exchanges/TYO',
  events: '/console/events',
  event: '/console/events/CA7109655-1811',
  'events-past': '/console/events?EventStatus=Past&IncludeLapsedEvents=true',
  'events-month': '/console/events/month',
  'events-timeline': '/console/events/timeline',
  'events-standing': '/console/events/standing',
  'events-subscribe': '/console/events/subscribe',
  explain: '/console/explain?Request=/ca/v2/events?EventTypes=DVCA',
  docs: '/console/docs',
  'docs-search': '/console/docs?q=refresh+token',
  'docs-guide': '/console/docs/guides/testing',
  requests: '/console/requests?Console=show',
  sessions: '/console/sessions',
  sim: '/console/sim',
  'sim-faults': '/console/sim/faults',
  'sim-scenarios': '/console/sim/scenarios',
  'sim-snapshots': '/console/sim/snapshots',
}

/** The pages of operators. */
export const operatorPages: Record<string, string> = {
  users: '/console/operators/users',
  clients: '/console/operators/clients',
  user: `/console/operators/users/${encodeURIComponent(demoKey('user ada'))}`,
  import: '/console/operators/import',
  // That ada became an operator.
  run: '/console/operators/import/runs/1',
}
