import { type Static, Type } from 'typebox'
import { EntityKey } from '../../access/api/schema.ts'
import { AssetType } from '../../core/asset-type.ts'
import { describe, listOf, named, oneOf, wireDay } from '../../core/schema.ts'
import { FeedOf, pageQuery } from '../../http/output/feed.ts'
import { eventTypeCodes } from '../codes/codes.ts'
import * as enums from './enums.ts'
import { eventExample, lookupExample } from './examples.ts'
import { CodeDescription, eventFields, optionFields, Quantity } from './fields.ts'

/** Operation 7 (contract §2). */
export const eventsPage = { defaultTop: 100, maxTop: 1_000 } as const

const maybe = Type.Optional
const text = (description: string) => Type.String({ description })

const ClientKey = maybe(describe(EntityKey, 'Your client, which it is by default, or one below it.'))
const AccountKey = maybe(describe(EntityKey, 'Only this account of the client.'))
const AccountGroupKey = maybe(describe(EntityKey, 'Only the accounts of this group of the client.'))
const IncludeSubAccounts = Type.Boolean({
  default: false,
  description:
    'Also the accounts of clients below; then AffectedAccounts and EligibleHoldings are told in place of Holdings.',
})
const EventStates = maybe(
  describe(
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
  AssetTypes: maybe(describe(listOf(AssetType), 'Only events of these asset types.')),
  ClientKey,
  CorporateActionTypes: maybe(describe(listOf(enums.CorporateActionType), 'Only Mandatory or only Voluntary events.')),
  ElectionStatuses: maybe(
    describe(listOf(enums.ElectionStatus), 'Only electable events whose elections have come so far.'),
  ),
  EventStates,
  EventStatus: maybe(describe(enums.EventStatus, 'Only events with this status today.')),
  EventTypes: maybe(
    describe(
      listOf(named('EventTypeCode', oneOf(...eventTypeCodes), 'ISO 15022 codes of corporate action events.')),
      'Only these event types, by code, such as DVCA.',
    ),
  ),
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
export const EventFilters = Type.Object(eventFilters, { title: 'EventFilters' })
export type EventFilters = Static<typeof EventFilters>

/** GET /ca/v2/events (7). */
export const EventsQuery = Type.Object({
  ...pageQuery(eventsPage),
  $inlinecount: describe(pageQuery(eventsPage).$inlinecount, 'Has no effect: `__count` is always told.'),
  // It tells the value that the page was sorted by, which may be a long text.
  $skiptoken: maybe(
    Type.String({ maxLength: 4_096, description: 'Where the last page ended, from its `__next`; wins over $skip.' }),
  ),
  ...eventFilters,
  SortColumn: describe(enums.SortColumn, 'What to sort by; ties are in the order of EventId.', { default: 'Date' }),
  SortType: describe(enums.SortType, 'Upwards or downwards.', { default: 'Desc' }),
})
export type EventsQuery = Static<typeof EventsQuery>

export const EventParams = Type.Object({
  EventId: Type.String({ maxLength: 300, description: 'The id of the event.', examples: [eventExample.EventId] }),
})

/** GET /ca/v2/events/{EventId} (8). */
export const EventQuery = Type.Object({
  AccountKey,
  ClientKey,
  EventStates: maybe(
    describe(
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
    describe(
      listOf(enums.LookupGroup),
      'EventTypes and AssetTypes (the default): those of the events you could list. AllEventTypes, AllAssetTypes, All.',
    ),
  ),
  IncludeSubAccounts: describe(IncludeSubAccounts, 'Also what the accounts of clients below hold.'),
})
export type LookupQuery = Static<typeof LookupQuery>

const Day = Type.String({
  format: wireDay,
  description: 'A day; where it is written as a date-time, at midnight UTC.',
})

const HoldingOption = Type.Object(
  {
    OptionId: text('The option that was elected.'),
    ElectedAmount: describe(Quantity, 'For how much.'),
    ElectedBy: maybe(text('Who elected it.')),
    ElectionType: maybe(enums.ElectionType),
    Instruction: maybe(
      Type.Object(
        { Status: enums.InstructionStatus },
        { title: 'ElectionInstruction', description: 'What was sent on.' },
      ),
    ),
    Remarks: maybe(text('What was noted with it.')),
  },
  { title: 'HoldingOption' },
)

export const Holding = Type.Object(
  {
    AccountDisplayName: maybe(text('What the account is called.')),
    AccountId: text('The id of the account.'),
    AccountKey: EntityKey,
    Amount: describe(
      Quantity,
      'What was held at the end of the record date where that is past, else what is held today.',
    ),
    CashReserved: maybe(
      Type.Object(
        { Currency: text('ISO 4217 code.'), Value: describe(Quantity, 'The amount.') },
        { title: 'CashReserved', description: 'Cash that is kept for it.' },
      ),
    ),
    ClientId: text('The id of the client.'),
    ClientKey: EntityKey,
    ClientName: text('What the client is called.'),
    ElectedAmount: describe(Quantity, 'How much of it was elected, over all options.'),
    ElectionStatus: maybe(enums.ElectionStatus),
    EventId: text('The event.'),
    Options: maybe(Type.Array(HoldingOption, { description: 'What was elected.' })),
    OwnerId: maybe(text('The ClientId of the client that owns this one.')),
  },
  { title: 'EventHolding' },
)
export type Holding = Static<typeof Holding>

/** §2.10. */
export const Event = Type.Object(
  {
    EventId: text('Its id.'),
    Uic: Type.Integer({ description: 'The instrument.' }),
    AssetType,
    CorporateActionType: enums.CorporateActionType,
    EventType: describe(CodeDescription, 'What kind of event it is.'),
    EventState: enums.EventState,
    ...eventFields(Day),
    EventStatus: enums.EventStatus,
    Electable: enums.Electable,
    ElectionStatus: maybe(enums.ElectionStatus),
    Options: maybe(
      Type.Array(
        Type.Object(
          { ...optionFields(Day), OptionType: maybe(describe(CodeDescription, 'What is to be had.')) },
          { title: 'EventOption' },
        ),
        { description: 'What holders get, or can choose from.' },
      ),
    ),
    Holdings: maybe(
      Type.Array(Holding, { description: 'Without IncludeSubAccounts: what each account holds and elected.' }),
    ),
    AffectedAccounts: maybe(Type.Integer({ description: 'With IncludeSubAccounts: how many accounts it applies to.' })),
    EligibleHoldings: maybe(describe(Quantity, 'With IncludeSubAccounts: what these accounts hold together.')),
    UpdatedDateTime: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
  },
  { title: 'CorporateActionEvent', examples: [eventExample] },
)
export type Event = Static<typeof Event>

export const EventsResponse = FeedOf(Event)

export const LookupResponse = Type.Object(
  {
    Data: Type.Array(
      Type.Object(
        {
          FieldGroup: text('Which list it is.'),
          Values: Type.Array(
            Type.Object(
              { Code: text('What to filter by.'), Name: text('What it is called.') },
              { title: 'EventLookupValue' },
            ),
            { description: 'What is in it.' },
          ),
        },
        { title: 'EventLookupValues' },
      ),
      { description: 'The lists that were asked for.' },
    ),
  },
  { title: 'EventLookup', examples: [lookupExample] },
)
export type LookupResponse = Static<typeof LookupResponse>
