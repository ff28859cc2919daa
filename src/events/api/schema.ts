import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { describe, listOf, named, oneOf, wireDay } from '../../core/schema.ts'
import { AsOf } from '../../core/time/as-of.ts'
import { FeedOf, pageQuery, wholeListQuery } from '../../http/output/feed.ts'
import { eventTypeCodes } from '../codes/event-types.ts'
import * as enums from './enums.ts'
import { eventExample, holdingExample, lookupExample } from './examples.ts'
import { CodeDescription, DeadlineTime, eventFields, field, optionFields, Quantity, titledObject } from './fields.ts'

export const eventsPage = { defaultTop: 100, maxTop: 1_000 } as const

const maybe = Type.Optional
const text = (description: string) => Type.String({ description })

const ClientKey = field(EntityKey, "The caller's client (default) or one of its sub-clients.")
const AccountKey = field(EntityKey, 'Only this account of the client.')
const AccountGroupKey = field(EntityKey, 'Only this account group of the client.')
const IncludeSubAccounts = Type.Boolean({
  default: false,
  description: 'Include the accounts of sub-clients. AffectedAccounts and EligibleHoldings then replace Holdings.',
})
const CalendarDate = Type.String({ format: 'date' })
const from = (what: string) => field(CalendarDate, `Only events with ${what} on or after this date.`)
const to = (what: string) => field(CalendarDate, `Only events with ${what} on or before this date.`)
const EventTypeCode = named('EventTypeCode', oneOf(...eventTypeCodes), 'ISO 15022 event type codes (CAEV).')

export const eventFilters = {
  AccountGroupKey,
  AccountKey,
  AssetTypes: field(listOf(AssetType), 'Only these asset types.'),
  ClientKey,
  CorporateActionTypes: field(listOf(enums.CorporateActionType), 'Only mandatory or only voluntary events.'),
  ElectionStatuses: field(listOf(enums.ElectionStatus), 'Only electable events with one of these election statuses.'),
  EventStates: field(
    listOf(enums.EventState),
    'Only these states. Complete events, and Cancelled ones that are not Past, are never listed: get them by id.',
  ),
  EventStatus: field(enums.EventStatus, 'Only events with this status today.'),
  EventTypes: field(listOf(EventTypeCode), 'Only these event types, such as DVCA.'),
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
    description: 'Include lapsed events: Past events in state Preliminary, Cancelled or Confirmed.',
  }),
  IncludeSubAccounts,
  Keywords: field(
    Type.String({ maxLength: 500 }),
    'Words to find in the description, ISIN or symbol of the instrument. All must match.',
  ),
}
export const EventFilters = titledObject('EventFilters', eventFilters)
export type EventFilters = Static<typeof EventFilters>

export const EventsQuery = Type.Object({
  ...pageQuery(eventsPage),
  $inlinecount: describe(pageQuery(eventsPage).$inlinecount, 'Has no effect: `__count` is always included.'),
  // Longer than usual: it contains the sort value, which may be a long text.
  $skiptoken: field(Type.String({ maxLength: 4_096 }), 'Cursor from `__next`. Takes precedence over $skip.'),
  ...eventFilters,
  AsOf,
  SortColumn: describe(enums.SortColumn, 'Sort key. Ties are sorted by EventId.', { default: 'Date' }),
  SortType: describe(enums.SortType, 'Ascending or descending.', { default: 'Desc' }),
})
export type EventsQuery = Static<typeof EventsQuery>

export const EventParams = Type.Object({
  EventId: Type.String({ maxLength: 300, description: 'Id of the event.', examples: [eventExample.EventId] }),
})

export const EventQuery = Type.Object({
  AccountKey,
  AsOf,
  ClientKey,
  EventStates: field(
    listOf(enums.EventState),
    'Only these states. Default: Approved, Confirmed, Preliminary and Withdrawn.',
  ),
  IncludeSubAccounts,
})

export const LookupQuery = Type.Object({
  ...wholeListQuery(),
  AccountGroupKey,
  AccountKey,
  AsOf,
  ClientKey,
  FieldGroups: field(
    listOf(enums.LookupGroup),
    'EventTypes and AssetTypes (default) list what occurs in your events; the others list every value.',
  ),
  IncludeSubAccounts: describe(IncludeSubAccounts, 'Include the accounts of sub-clients.'),
})

const Day = Type.String({ format: wireDay, description: 'A calendar date; in date-time format, midnight UTC.' })

export const HoldingOption = titledObject('HoldingOption', {
  OptionId: text('The elected option.'),
  ElectedAmount: describe(Quantity, 'Elected amount.'),
  ElectedBy: maybe(text('User who elected.')),
  ElectionType: maybe(enums.ElectionType),
  Instruction: field(
    titledObject('ElectionInstruction', {
      Reason: maybe(text('Why the instruction was rejected or waits.')),
      Status: enums.InstructionStatus,
    }),
    'The instruction sent on to the custodian.',
  ),
  Remarks: maybe(text('Remarks.')),
})

export const Holding = titledObject(
  'EventHolding',
  {
    AccountDisplayName: maybe(text('Display name of the account.')),
    AccountId: text('Id of the account.'),
    AccountKey: EntityKey,
    Amount: describe(Quantity, 'Amount held at the end of a past record date, else today.'),
    CashReserved: field(
      titledObject('CashReserved', {
        Currency: text('ISO 4217 code.'),
        Type: enums.PriceType,
        Value: describe(Quantity, 'Amount.'),
      }),
      'Cash reserved for the elections.',
    ),
    ClientId: text('Id of the client.'),
    ClientKey: EntityKey,
    ClientName: text('Name of the client.'),
    ElectedAmount: describe(Quantity, 'Amount elected, over all options.'),
    ElectionStatus: maybe(enums.ElectionStatus),
    EventId: text('Id of the event.'),
    Options: field(Type.Array(HoldingOption), 'Elections of the account.'),
    OwnerId: text('ClientId of the owner of this client; of the client itself if it has no owner.'),
    StandingInstructionStatus: maybe(enums.StandingInstructionStatus),
  },
  holdingExample,
)
export type Holding = Static<typeof Holding>

const EventOption = titledObject('EventOption', {
  ...optionFields(Day, DeadlineTime),
  OptionType: field(CodeDescription, 'Option type.'),
})

export const Event = Type.Object(
  {
    EventId: text('Id of the event.'),
    Uic: Type.Integer({ description: 'Id of the instrument.' }),
    AssetType,
    CorporateActionType: enums.CorporateActionType,
    EventType: describe(CodeDescription, 'Event type.'),
    EventState: enums.EventState,
    ...eventFields(Day),
    EventStatus: enums.EventStatus,
    Electable: enums.Electable,
    ElectionStatus: maybe(enums.ElectionStatus),
    Options: field(Type.Array(EventOption), 'What holders receive, or can elect.'),
    Holdings: field(Type.Array(Holding), 'Holding and elections of each account, without IncludeSubAccounts.'),
    AffectedAccounts: field(Type.Integer(), 'Number of accounts the event applies to, with IncludeSubAccounts.'),
    EligibleHoldings: field(Quantity, 'Total held by these accounts, with IncludeSubAccounts.'),
    UpdatedDateTime: Type.String({ format: 'date-time', description: 'Time of the last change.' }),
  },
  { title: 'CorporateActionEvent', examples: [eventExample] },
)
export type Event = Static<typeof Event>

export const EventsResponse = FeedOf(Event)

const LookupValue = titledObject('EventLookupValue', {
  Code: text('Value for the filter.'),
  Name: text('Display name.'),
  Description: text('Meaning.'),
})
const LookupList = titledObject('EventLookupValues', {
  FieldGroup: text('Name of the list.'),
  Values: Type.Array(LookupValue, { description: 'Values of the list.' }),
})
export const LookupResponse = Type.Object(FeedOf(LookupList).properties, {
  title: 'EventLookup',
  examples: [lookupExample],
})
export type LookupResponse = Static<typeof LookupResponse>
