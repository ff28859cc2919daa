import type { Static } from 'typebox'
import { named, oneOf } from '../../core/schema.ts'

/** The closed sets of corporate actions (contract §7), each declared once. */
export const CorporateActionType = named(
  'CorporateActionType',
  oneOf('Mandatory', 'Voluntary'),
  'Whether holders are asked (Voluntary) or not.',
)
export const EventState = named(
  'EventState',
  oneOf('Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn'),
  'How far the event has come.',
)
export type EventState = Static<typeof EventState>
export const EventStatus = named('EventStatus', oneOf('Active', 'Past', 'Upcoming'), 'Where the event stands today.')
export type EventStatus = Static<typeof EventStatus>
export const Electable = named(
  'Electable',
  oneOf('Electable', 'NotElectable'),
  'Whether holders can choose between options.',
)
export const ElectionStatus = named(
  'ElectionStatus',
  oneOf('Elected', 'NotElected', 'PartialElected'),
  'How much of what is held was elected.',
)
export type ElectionStatus = Static<typeof ElectionStatus>
export const InformationToComply = named(
  'InformationToComply',
  oneOf('RestrictionsMayApply'),
  'That not every holder may take part.',
)
export const DateStatus = named(
  'EventDateStatus',
  oneOf('Ongoing', 'Unknown'),
  'In place of a day: none is known, or it goes on without an end.',
)
export const PriceType = named(
  'EventPriceType',
  oneOf('Actual', 'Percentage'),
  'Whether a figure is an amount or a percentage.',
)
export const MovementType = named(
  'MovementType',
  oneOf('Credit', 'Debit', 'Unknown'),
  'Whether something comes in or goes out.',
)
export const OptionStatus = named(
  'EventOptionStatus',
  oneOf('Cancelled', 'Inactive', 'Unknown'),
  'Where an option is no longer to be had.',
)
export const ElectionType = named(
  'ElectionType',
  oneOf('Auto', 'Manual'),
  'Whether it was elected by somebody or by default.',
)
export const InstructionStatus = named(
  'InstructionStatus',
  oneOf('Accepted', 'InProgress', 'Rejected'),
  'How far an instruction has come.',
)

export const indicators = [
  'AdditionalBusinessProcess',
  'BidRange',
  'CertificationBreakdown',
  'Change',
  'Consent',
  'Dividend',
  'Offer',
  'RenounceableStatusofEntitlement',
  'Sequence',
] as const
export const Indicator = named('EventIndicator', oneOf(...indicators), 'What a note is about.')
export type Indicator = (typeof indicators)[number]

export const sortColumns = [
  'AffectedAccounts',
  'AnnouncedDate',
  'CorporateActionType',
  'Date',
  'EligibleHoldings',
  'EventId',
  'EventType',
  'InstrumentDescription',
  'UpdatedDateTime',
] as const
export const SortColumn = named(
  'EventSortColumn',
  oneOf(...sortColumns),
  'What a list can be sorted by; Date is the ex date, or where there is none the next best.',
)
export type SortColumn = (typeof sortColumns)[number]
export const SortType = named('SortType', oneOf('Asc', 'Desc'), 'Upwards or downwards.')
export type SortType = Static<typeof SortType>

export const LookupGroup = named(
  'EventLookupGroup',
  oneOf('All', 'AllAssetTypes', 'AllEventTypes', 'AssetTypes', 'EventTypes'),
  'Lists that can be asked for.',
)
export type LookupGroup = Static<typeof LookupGroup>
