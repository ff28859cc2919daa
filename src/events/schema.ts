import { type Static, Type } from 'typebox'
import { EntityKey } from '../access/schema.ts'
import { AssetType } from '../core/asset-type.ts'
import { listOf, oneOf } from '../core/schema.ts'
import { FeedOf, pageQuery } from '../http/feed.ts'
import { eventTypeCodes } from './codes.ts'
import * as enums from './enums.ts'
import { CodeDescription, eventMembers, optionMembers, Quantity } from './event-members.ts'

/** Operation 7 (contract §2). */
export const eventsPage = { defaultTop: 100, maxTop: 1_000 } as const

const maybe = Type.Optional
const text = (description: string) => Type.String({ description })
const described = <T extends object>(schema: T, description: string): T => ({ ...schema, description })

const ClientKey = maybe(described(EntityKey, 'Your client, which it is by default, or one below it.'))
const AccountKey = maybe(described(EntityKey, 'Only this account of the client.'))
const AccountGroupKey = maybe(described(EntityKey, 'Only the accounts of this group of the client.'))
const IncludeSubAccounts = Type.Boolean({
  default: false,
  description:
    'Also the accounts of clients below; then AffectedAccounts and EligibleHoldings are told in place of Holdings.',
})
const EventStates = maybe(
  described(
    listOf(enums.EventState),
    'Only events in one of these states. It only narrows: events that are Complete, or Cancelled and not Past, are read one by one.',
  ),
)

const from = (what: string) =>
  maybe(Type.String({ format: 'date', description: `Only events with ${what} on or after.` }))
const to = (what: string) =>
  maybe(Type.String({ format: 'date', description: `Only events with ${what} on or before.` }))

/** What a list of events can be narrowed and sorted by; also what a calendar address remembers. */
export const eventFilters = {
  AccountGroupKey,
  AccountKey,
  AssetTypes: maybe(described(listOf(AssetType), 'Only events of these asset types.')),
  ClientKey,
  CorporateActionTypes: maybe(described(listOf(enums.CorporateActionType), 'Only Mandatory or only Voluntary events.')),
  ElectionStatuses: maybe(
    described(listOf(enums.ElectionStatus), 'Only electable events whose elections have come so far.'),
  ),
  EventStates,
  EventStatus: maybe(described(enums.EventStatus, 'Only events with this status today.')),
  EventTypes: maybe(described(listOf(oneOf(...eventTypeCodes)), 'Only these event types, by code, such as DVCA.')),
  FromDeadlineDate: from('a deadline'),
  ToDeadlineDate: to('a deadline'),
  FromExDate: from('the ex date'),
  ToExDate: to('the ex date'),
  FromPayDate: from('a payment'),
  ToPayDate: to('a payment'),
  FromRecordDate: from('the record date'),
  ToRecordDate: to('the record date'),
  IncludeLapsedEvents: Type.Boolean({
    default: false,
    description: 'Also lapsed events: Past ones whose state is Preliminary, Cancelled or Confirmed.',
  }),
  IncludeSubAccounts,
  Keywords: maybe(
    Type.String({
      maxLength: 500,
      description: 'Words that all must be part of the description, the ISIN or the symbol of the instrument.',
    }),
  ),
}
export const EventFilters = Type.Object(eventFilters)
export type EventFilters = Static<typeof EventFilters>

/** GET /ca/v2/events (7). */
export const EventsQuery = Type.Object({
  ...pageQuery(eventsPage),
  $inlinecount: described(pageQuery(eventsPage).$inlinecount, 'Has no effect: `__count` is always told.'),
  // It tells the value that the page was sorted by, which may be a long text.
  $skiptoken: maybe(
    Type.String({ maxLength: 4_096, description: 'Where the last page ended, from its `__next`; wins over $skip.' }),
  ),
  ...eventFilters,
  SortColumn: {
    ...enums.SortColumn,
    default: 'Date',
    description: 'What to sort by; ties are in the order of EventId.',
  },
  SortType: { ...enums.SortType, default: 'Desc' },
})
export type EventsQuery = Static<typeof EventsQuery>

export const EventParams = Type.Object({
  EventId: Type.String({ maxLength: 300, description: 'The id of the event.' }),
})

/** GET /ca/v2/events/{EventId} (8). */
export const EventQuery = Type.Object({
  AccountKey,
  ClientKey,
  EventStates: maybe(
    described(
      listOf(enums.EventState),
      'Where to look; by default among Approved, Confirmed, Preliminary and Withdrawn events.',
    ),
  ),
  IncludeSubAccounts,
})
export type EventQuery = Static<typeof EventQuery>

/** GET /ca/v2/events/lookupdata (9). */
export const LookupQuery = Type.Object({
  AccountGroupKey,
  AccountKey,
  ClientKey,
  FieldGroups: maybe(
    described(
      listOf(enums.LookupGroup),
      'EventTypes and AssetTypes (the default): those of the events you could list. AllEventTypes, AllAssetTypes, All.',
    ),
  ),
  IncludeSubAccounts: described(IncludeSubAccounts, 'Also what the accounts of clients below hold.'),
})
export type LookupQuery = Static<typeof LookupQuery>

const Day = Type.String({ description: 'A day, as YYYY-MM-DDT00:00:00Z; with COMPAT=vendor as YYYY-MM-DD.' })

const HoldingOption = Type.Object({
  OptionId: Type.String(),
  ElectedAmount: Quantity,
  ElectedBy: maybe(Type.String()),
  ElectionType: maybe(enums.ElectionType),
  Instruction: maybe(Type.Object({ Status: enums.InstructionStatus })),
  Remarks: maybe(Type.String()),
})

export const Holding = Type.Object({
  AccountDisplayName: maybe(Type.String()),
  AccountId: Type.String(),
  AccountKey: EntityKey,
  Amount: described(
    Quantity,
    'What was held at the end of the record date where that is past, else what is held today.',
  ),
  CashReserved: maybe(Type.Object({ Currency: Type.String(), Value: Quantity })),
  ClientId: Type.String(),
  ClientKey: EntityKey,
  ClientName: Type.String(),
  ElectedAmount: Quantity,
  ElectionStatus: maybe(enums.ElectionStatus),
  EventId: Type.String(),
  Options: maybe(Type.Array(HoldingOption)),
  OwnerId: maybe(text('The ClientId of the client that owns this one.')),
})
export type Holding = Static<typeof Holding>

/** §2.10. */
export const Event = Type.Object({
  EventId: Type.String(),
  Uic: Type.Integer(),
  AssetType,
  CorporateActionType: enums.CorporateActionType,
  EventType: CodeDescription,
  EventState: enums.EventState,
  ...eventMembers(Day),
  EventStatus: enums.EventStatus,
  Electable: enums.Electable,
  ElectionStatus: maybe(enums.ElectionStatus),
  Options: maybe(Type.Array(Type.Object({ ...optionMembers(Day), OptionType: maybe(CodeDescription) }))),
  Holdings: maybe(
    Type.Array(Holding, { description: 'Without IncludeSubAccounts: what each account holds and elected.' }),
  ),
  AffectedAccounts: maybe(Type.Integer({ description: 'With IncludeSubAccounts: how many accounts it applies to.' })),
  EligibleHoldings: maybe(described(Quantity, 'With IncludeSubAccounts: what these accounts hold together.')),
  UpdatedDateTime: Type.String({ format: 'date-time' }),
})
export type Event = Static<typeof Event>

export const EventsAnswer = FeedOf(Event)

export const LookupAnswer = Type.Object({
  Data: Type.Array(
    Type.Object({
      FieldGroup: Type.String(),
      Values: Type.Array(Type.Object({ Code: Type.String(), Name: Type.String() })),
    }),
  ),
})
export type LookupAnswer = Static<typeof LookupAnswer>
