import type { AccountRecord, ClientRecord } from '../../../src/access/api/schema.ts'
import type { Event, EventFilters, EventsQuery } from '../../../src/events/api/schema.ts'
import type { EventRecord, PositionRecord } from '../../../src/events/import/schema.ts'

/** The imported data. */
export type World = Readonly<{
  today: string
  clients: readonly ClientRecord[]
  accounts: readonly AccountRecord[]
  names: ReadonlyMap<number, Readonly<{ Description: string; Isin?: string; Symbol: string }>>
  positions: readonly PositionRecord[]
  events: readonly EventRecord[]
}>

/** A naive second implementation of §7.1 to §7.5, which checks every event for every account. It shares no code with the
 *  service, so that the two can be compared. */
export type Listed = Readonly<{
  EventId: string
  holdings: readonly Readonly<{ AccountId: string; Amount: number; ElectedAmount: number }>[]
  eligible: number
}>
type ScopeQuery = Readonly<{
  ClientKey?: string
  AccountKey?: string
  AccountGroupKey?: string
  IncludeSubAccounts?: boolean
}>
type ListQuery = Partial<EventFilters> & Pick<Partial<EventsQuery>, 'SortColumn' | 'SortType'>

/** Operation 7, all pages. Undefined if the caller may not use one of the keys. */
export function naiveList(world: World, caller: string, query: ListQuery): Listed[] | undefined {
  const accounts = accountsOf(world, caller, query)
  if (!accounts) return undefined
  const listed = world.events.flatMap((event) => {
    const applied = appliedTo(world, accounts, event)
    return applied && isListed(world, event, query) && passes(world, event, applied, query) ? [{ event, applied }] : []
  })
  const direction = query.SortType === 'Asc' ? 1 : -1
  const valueOf = sortValues[query.SortColumn ?? 'Date']
  return listed
    .map((one) => ({ ...one, value: valueOf(world, one.event, one.applied) }))
    .sort((a, b) => direction * compare(a.value, b.value) || compare(a.event.EventId, b.event.EventId))
    .map(({ applied }) => applied)
}

/** Operation 8. */
export function naiveFind(
  world: World,
  caller: string,
  EventId: string,
  query: ScopeQuery & Pick<ListQuery, 'EventStates'>,
) {
  const event = world.events.find((one) => one.EventId === EventId)
  const accounts = accountsOf(world, caller, query)
  const states = query.EventStates ?? ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn']
  return event && accounts && states.includes(event.EventState) ? appliedTo(world, accounts, event) : undefined
}

function accountsOf(world: World, caller: string, query: ScopeQuery): readonly AccountRecord[] | undefined {
  const ownerOf = (key: string) => world.clients.find(({ ClientKey }) => ClientKey === key)?.OwnerClientKey
  const isBelow = (key: string | undefined, top: string): boolean =>
    key !== undefined && (key === top || isBelow(ownerOf(key), top))
  const asClient = query.ClientKey ?? caller
  const own = world.accounts.filter(({ ClientKey }) => ClientKey === asClient)
  const groups = world.clients.find(({ ClientKey }) => ClientKey === asClient)?.AccountGroups ?? []
  const { AccountKey, AccountGroupKey } = query
  if (!isBelow(asClient, caller)) return undefined
  if (AccountKey !== undefined && !own.some((account) => account.AccountKey === AccountKey)) return undefined
  if (AccountGroupKey !== undefined && !groups.some((group) => group.AccountGroupKey === AccountGroupKey))
    return undefined
  const all = query.IncludeSubAccounts ? world.accounts.filter(({ ClientKey }) => isBelow(ClientKey, asClient)) : own
  return all.filter(
    (account) =>
      (AccountKey === undefined || account.AccountKey === AccountKey) &&
      (AccountGroupKey === undefined || account.AccountGroupKey === AccountGroupKey),
  )
}

/** The amount at the end of a day: that of the last record that began by then. */
function heldOn(world: World, { AccountKey }: AccountRecord, { Uic, AssetType }: EventRecord, day: string): number {
  const begun = world.positions.filter(
    (one) => one.AccountKey === AccountKey && one.Uic === Uic && one.AssetType === AssetType && (one.From ?? '') <= day,
  )
  return begun.toSorted((a, b) => compare(a.From ?? '', b.From ?? '')).at(-1)?.Amount ?? 0
}

function appliedTo(world: World, accounts: readonly AccountRecord[], event: EventRecord): Listed | undefined {
  const recordDate = event.Record?.Date
  const holdings = accounts.flatMap((account) => {
    const now = heldOn(world, account, event, world.today)
    const isPast = recordDate !== undefined && recordDate < world.today
    const then = isPast ? heldOn(world, account, event, recordDate) : now
    const elections = event.Holdings?.find(({ AccountKey }) => AccountKey === account.AccountKey)?.Options ?? []
    const ElectedAmount = sum(elections.map((one) => one.ElectedAmount))
    return now === 0 && then === 0 ? [] : [{ AccountId: account.AccountId, Amount: then, ElectedAmount }]
  })
  if (holdings.length === 0) return undefined
  return {
    EventId: event.EventId,
    holdings: holdings.toSorted((a, b) => compare(a.AccountId, b.AccountId)),
    eligible: sum(holdings.map(({ Amount }) => Amount)),
  }
}

const dayOf = (date: string) => (date.length === 10 ? date : Temporal.Instant.from(date).toString().slice(0, 10))
const deadlinesOf = ({ Options = [] }: EventRecord) =>
  Options.flatMap(({ Deadline }) => (Deadline?.Date ? [dayOf(Deadline.Date)] : []))
const paymentsOf = ({ Options = [] }: EventRecord) => Options.flatMap(({ Payment }) => Payment?.Date ?? [])

export function naiveStatus(event: EventRecord, today: string): string {
  if (event.EventStatus) return event.EventStatus
  const elections = (event.Options ?? []).map(({ ElectionPeriod }) => ElectionPeriod?.Start?.Date)
  const starts = [event.AnnouncedDate, event.Ex?.Date, ...elections].filter((day) => day !== undefined)
  const ends = [event.Ex?.Date, ...paymentsOf(event), ...deadlinesOf(event)].filter((day) => day !== undefined)
  if (starts.length > 0 && starts.every((day) => day > today)) return 'Upcoming'
  return ends.length > 0 && ends.every((day) => day < today) ? 'Past' : 'Active'
}

function keyDate(event: EventRecord): string | undefined {
  const { Ex, Effective, Record, AnnouncedDate } = event
  return Ex?.Date ?? Effective?.Date ?? Record?.Date ?? paymentsOf(event).toSorted()[0] ?? AnnouncedDate
}

function isListed({ today }: World, event: EventRecord, { IncludeLapsedEvents }: ListQuery): boolean {
  const day = keyDate(event)
  const [from, to] = [-1, 1].map((years) => Temporal.PlainDate.from(today).add({ years }).toString()) as [
    string,
    string,
  ]
  if (day === undefined || day < from || day > to) return false
  const hasLapsed =
    naiveStatus(event, today) === 'Past' && ['Preliminary', 'Cancelled', 'Confirmed'].includes(event.EventState)
  if (hasLapsed) return IncludeLapsedEvents === true
  return event.EventState !== 'Cancelled' && event.EventState !== 'Complete'
}

function passes(world: World, event: EventRecord, applied: Listed, query: ListQuery): boolean {
  const within = (days: (string | undefined)[], from = '', to = '9999-12-31') =>
    (from === '' && to === '9999-12-31') || days.some((day) => day !== undefined && day >= from && day <= to)
  const among = (value: string | undefined, values: readonly string[] | undefined) =>
    values === undefined || (value !== undefined && values.includes(value))
  const { Description, IsinCode, Symbol } = namesOf(world, event)
  const names = [Description, IsinCode, Symbol].map((name) => (name ?? '').toLowerCase())
  const words = (query.Keywords ?? '').toLowerCase().split(' ').filter(Boolean)
  return (
    among(event.AssetType, query.AssetTypes) &&
    among(event.CorporateActionType, query.CorporateActionTypes) &&
    among(event.EventType.Code, query.EventTypes) &&
    among(event.EventState, query.EventStates) &&
    among(naiveStatus(event, world.today), query.EventStatus && [query.EventStatus]) &&
    among(electionStatusOf(event, applied), query.ElectionStatuses) &&
    within([event.Ex?.Date], query.FromExDate, query.ToExDate) &&
    within([event.Record?.Date], query.FromRecordDate, query.ToRecordDate) &&
    within(deadlinesOf(event), query.FromDeadlineDate, query.ToDeadlineDate) &&
    within(paymentsOf(event), query.FromPayDate, query.ToPayDate) &&
    words.every((word) => names.some((name) => name.includes(word)))
  )
}

function namesOf({ names }: World, { Uic, DisplayAndFormat }: EventRecord): NonNullable<Event['DisplayAndFormat']> {
  const { Description, Isin, Symbol } = names.get(Uic) ?? { Description: '', Symbol: '' }
  return { Description, Symbol, ...(Isin !== undefined && { IsinCode: Isin }), ...DisplayAndFormat }
}

export function electionStatusOf(event: EventRecord, { holdings }: Listed): string | undefined {
  const electable = event.Electable ?? ((event.Options ?? []).length > 1 ? 'Electable' : 'NotElectable')
  if (electable === 'NotElectable') return undefined
  const [held, elected] = [
    sum(holdings.map(({ Amount }) => Math.abs(Amount))),
    sum(holdings.map(({ ElectedAmount }) => Math.abs(ElectedAmount))),
  ]
  if (elected === 0) return 'NotElected'
  return elected < held ? 'PartialElected' : 'Elected'
}

type Value = string | number
const sortValues: Record<
  NonNullable<ListQuery['SortColumn']>,
  (world: World, event: EventRecord, applied: Listed) => Value
> = {
  AffectedAccounts: (_, __, { holdings }) => holdings.length,
  AnnouncedDate: (_, { AnnouncedDate }) => AnnouncedDate ?? '',
  CorporateActionType: (_, { CorporateActionType }) => CorporateActionType,
  Date: (_, event) => keyDate(event) ?? '',
  EligibleHoldings: (_, __, { eligible }) => eligible,
  EventId: (_, { EventId }) => EventId,
  EventType: (_, { EventType }) => EventType.Name ?? '',
  InstrumentDescription: (world, event) => (namesOf(world, event).Description ?? '').toLowerCase(),
  UpdatedDateTime: (_, { UpdatedDateTime }) => Temporal.Instant.from(UpdatedDateTime ?? '').epochMilliseconds,
}

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
