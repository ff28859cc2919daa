import { type EventFacts, instrumentKey } from '../../../src/events/rules/facts.ts'

/** An event as it is in memory: a mandatory cash dividend without dates but the key date. */
export const eventFacts = (more: Partial<EventFacts> = {}): EventFacts => ({
  eventId: 'E1',
  uic: 1,
  assetType: 'Stock',
  corporateActionType: 'Mandatory',
  eventType: 'DVCA',
  eventTypeName: 'Cash Dividend',
  state: 'Confirmed',
  status: null,
  isElectable: false,
  closing: undefined,
  announcedOn: null,
  exOn: null,
  recordOn: null,
  keyDate: '2026-11-15',
  startsOn: null,
  endsOn: null,
  deadlines: [],
  payments: [],
  description: null,
  isin: null,
  symbol: null,
  updatedAt: 0,
  revision: 1,
  ...more,
})

export const stock1 = instrumentKey('Stock', 1)
