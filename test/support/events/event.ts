import type { Event } from '../../../src/events/api/schema.ts'

/** An event of the API: a tender offer without elections. */
export function anEvent(more: Partial<Event> = {}): Event {
  return {
    EventId: 'E1',
    Uic: 211,
    AssetType: 'Stock',
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND', Name: 'Tender Offer' },
    EventState: 'Confirmed',
    EventStatus: 'Active',
    Electable: 'Electable',
    ElectionStatus: 'NotElected',
    DisplayAndFormat: { Description: 'Apple Inc.', Symbol: 'AAPL:xnas', IsinCode: 'US0378331005' },
    UpdatedDateTime: '2026-11-02T09:30:15.123456Z',
    Options: [anOption('1', 'Cash'), anOption('2', 'No action', { IsDefault: true })],
    Holdings: [],
    ...more,
  }
}

export type EventOption = NonNullable<Event['Options']>[number]

export function anOption(OptionId: string, Name: string, more: Partial<EventOption> = {}): EventOption {
  return { OptionId, OptionType: { Code: 'CASH', Name }, ...more }
}

export function aHolding(AccountId: string, more: object = {}): NonNullable<Event['Holdings']>[number] {
  const owner = { ClientId: '1', ClientKey: 'client', ClientName: 'One', OwnerId: '1' }
  return { AccountId, AccountKey: AccountId, Amount: 100, ElectedAmount: 0, EventId: 'E1', ...owner, ...more }
}
