import fc from 'fast-check'
import { sortColumns } from '../../../src/events/api/enums.ts'
import type { EventFilters } from '../../../src/events/api/schema.ts'
import type { EventRecord } from '../../../src/events/import/schema.ts'
import { demoKey } from '../demo.ts'
import { instrument } from '../service/import.ts'

export const today = '2026-11-15'

/** An owner with two levels of sub-clients, an unrelated client and an unknown one. */
export const [top, mid, low, other, unknown] = ['top', 'mid', 'low', 'other', 'unknown'].map(demoKey) as [
  string,
  string,
  string,
  string,
  string,
]
const group = (name: string) => [{ AccountGroupKey: demoKey(name), Name: name }]
export const clients = [
  { ClientKey: top, ClientId: '1', Name: 'Top', AccountGroups: group('g1') },
  { ClientKey: mid, ClientId: '2', Name: 'Mid', OwnerClientKey: top },
  { ClientKey: low, ClientId: '3', Name: 'Low', OwnerClientKey: mid },
  { ClientKey: other, ClientId: '4', Name: 'Other', AccountGroups: group('g2') },
]
const account = (AccountId: string, ClientKey: string, more = {}) => ({
  AccountKey: demoKey(AccountId),
  AccountId,
  ClientKey,
  Currency: 'EUR',
  ...more,
})
export const accounts = [
  account('t1', top, { AccountGroupKey: demoKey('g1') }),
  account('t2', top),
  account('m1', mid),
  account('l1', low),
  account('o1', other, { AccountGroupKey: demoKey('g2') }),
]
export const stocks = [1, 2, 3].map((Uic) => ({
  ...instrument(Uic, { As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }),
  Description: ['Zeta plc', 'alpha AG', 'Mid Ltd'][Uic - 1] ?? '',
}))
export const names = new Map(stocks.map(({ Uic, Description, Symbol }) => [Uic, { Description, Symbol }]))

// Few values each, close to the limits, so that filters match and ties are frequent.
export const some = <const T>(...values: T[]) => fc.constantFrom(...values)
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const day = some(
  '2025-11-14',
  '2025-11-15',
  '2026-11-13',
  '2026-11-14',
  today,
  '2026-11-16',
  '2027-11-15',
  '2027-11-16',
)
const dated = maybe(fc.record({ Date: day }))
const moment = fc
  .tuple(day, some('00:00:00Z', '23:59:59.5-03:00', '12:00:00Z'))
  .map(([on, at]) => ({ Date: `${on}T${at}` }))
const deadline = fc.oneof(moment, fc.record({ Date: day }))
const keyed = { Uic: some(1, 2, 3), AssetType: some('Stock', 'Stock', 'CfdOnStock') } as const
const accountKey = some(...accounts.map(({ AccountKey }) => AccountKey))

const position = fc.record(
  { AccountKey: accountKey, ...keyed, From: day, Amount: some(0, 10, -5, 2.5) },
  { requiredKeys: ['AccountKey', 'Uic', 'AssetType', 'Amount'] },
)
export const positions = fc.uniqueArray(position, {
  minLength: 10,
  maxLength: 25,
  size: 'max',
  selector: ({ AccountKey, Uic, AssetType, From }) => [AccountKey, Uic, AssetType, From].join(),
})

const option = fc.record(
  {
    Deadline: deadline,
    Payment: fc.record({ Date: day }),
    ElectionPeriod: fc.record({ Start: fc.record({ Date: day }) }),
  },
  { requiredKeys: [] },
)
const elected = fc.uniqueArray(fc.record({ AccountKey: accountKey, ElectedAmount: some(0, 2.5, 10, -5) }), {
  maxLength: 3,
  selector: ({ AccountKey }) => AccountKey,
})
const eventType = some(
  { Code: 'DVCA', Name: 'Cash Dividend' },
  { Code: 'DVOP', Name: 'Dividend Option' },
  { Code: 'TEND', Name: 'Tender' },
)
const event = fc
  .record({
    ...keyed,
    CorporateActionType: some('Mandatory', 'Voluntary'),
    EventType: eventType,
    EventState: some('Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn'),
    EventStatus: maybe(some('Active', 'Past', 'Upcoming')),
    Electable: maybe(some('Electable', 'NotElectable')),
    AnnouncedDate: maybe(day),
    Ex: dated,
    Effective: dated,
    Record: dated,
    options: fc.array(option, { maxLength: 3 }),
    elected,
    UpdatedDateTime: some('2026-11-01T00:00:00Z', '2026-11-02T00:00:00.000001Z'),
    DisplayAndFormat: maybe(some({ Description: 'ALPHA rights' }, { Symbol: 'zz:x' })),
  })
  .map(({ options, elected: chosen, ...members }): Omit<EventRecord, 'EventId'> => {
    const Options = options.map((one, at) => ({ OptionId: String(at + 1), ...one }))
    const mayElect = members.Electable === 'Electable' || (members.Electable === undefined && Options.length > 1)
    const Holdings = chosen.map(({ AccountKey, ElectedAmount }) => ({
      AccountKey,
      Options: [{ OptionId: '1', ElectedAmount }],
    }))
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    return {
      ...(Object.fromEntries(given) as typeof members & object),
      ...(Options.length > 0 && { Options }),
      ...(mayElect && Options.length > 0 && Holdings.length > 0 && { Holdings }),
    } as Omit<EventRecord, 'EventId'>
  })
export const events = fc
  .array(event, { minLength: 8, maxLength: 20, size: 'max' })
  .map((all) => all.map((one, at): EventRecord => ({ EventId: `E-${(at * 7) % 20}`, ...one })))

export const list = <const T>(...values: T[]) => fc.uniqueArray(some(...values), { minLength: 1, maxLength: 2 })
/** Most filters are omitted, else the lists would be empty. */
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const days = seldom(fc.tuple(maybe(day), maybe(day)).filter(([from = '', to = '9']) => from <= to))
export const filters = fc
  .record({
    ClientKey: seldom(some(top, mid, low, other, unknown)),
    AccountKey: seldom(accountKey),
    AccountGroupKey: seldom(some(demoKey('g1'), demoKey('g2'))),
    IncludeSubAccounts: fc.boolean(),
    IncludeLapsedEvents: fc.boolean(),
    AssetTypes: seldom(list('Stock', 'CfdOnStock')),
    CorporateActionTypes: seldom(list('Mandatory', 'Voluntary')),
    ElectionStatuses: seldom(list('Elected', 'NotElected', 'PartialElected')),
    EventStates: seldom(list('Approved', 'Cancelled', 'Complete', 'Confirmed')),
    EventStatus: seldom(some('Active', 'Past', 'Upcoming')),
    EventTypes: seldom(list('DVCA', 'DVOP', 'MRGR')),
    Keywords: seldom(some('ALPHA', 'plc zeta', 's2 alpha', 'zz', 'nothing', ' ')),
    Deadline: days,
    Ex: days,
    Pay: days,
    Record: days,
  })
  .map(({ Deadline, Ex, Pay, Record, ...members }): EventFilters => {
    const ranges = Object.entries({ Deadline, Ex, Pay, Record }).flatMap(([kind, range]) => [
      [`From${kind}Date`, range?.[0]],
      [`To${kind}Date`, range?.[1]],
    ])
    const given = [...Object.entries(members), ...ranges].filter(([, value]) => value !== undefined)
    return Object.fromEntries(given) as EventFilters
  })
const order = fc.record({ SortColumn: some(...sortColumns), SortType: some('Asc', 'Desc') })
export const listCall = fc.record({ caller: some(top, top, mid, other), filters, order, rows: some(1, 3, 100, 100) })
export type ListCall = typeof listCall extends fc.Arbitrary<infer One> ? One : never
