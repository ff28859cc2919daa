import { demoApps } from '../demo.ts'

/** Every page of the console that an address leads to. */
export const consolePages: Record<string, string> = {
  home: '/',
  apps: '/console/apps',
  'app-new': '/console/apps/new',
  app: `/console/apps/${demoApps[0]?.AppKey}`,
  'app-audit': `/console/apps/${demoApps[0]?.AppKey}/audit`,
  instruments: '/console/instruments',
  'instruments-nothing': '/console/instruments?Keywords=zzzqqq&AssetTypes=Bond',
  instrument: '/console/instruments/1000/Stock',
  'option-chain': '/console/options/1',
  'futures-space': '/console/futures/5004',
  schedule: '/console/schedule/1000/Stock',
  events: '/console/events',
  event: '/console/events/CA7109655-1811',
  'events-answer': '/console/events/answer',
  'events-month': '/console/events/month',
  'events-standing': '/console/events/standing',
  'events-subscribe': '/console/events/subscribe',
  explain: '/console/explain?Request=/ca/v2/events?EventTypes=DVCA',
  requests: '/console/requests',
  sessions: '/console/sessions',
  sim: '/console/sim',
  'sim-faults': '/console/sim/faults',
  'sim-scenarios': '/console/sim/scenarios',
  'sim-snapshots': '/console/sim/snapshots',
}
