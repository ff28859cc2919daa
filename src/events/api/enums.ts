import type { Static } from 'typebox'
import { named, oneOf, words } from '../../core/schema.ts'
import { indicators } from '../codes/indicators.ts'

/** The enumerations of corporate actions (§7.6), each declared once. */
export const CorporateActionType = named(
  'CorporateActionType',
  oneOf('Mandatory', 'Voluntary'),
  'Whether the event happens to every holder (Mandatory) or only to those who choose it (Voluntary).',
)
export const EventState = named(
  'EventState',
  oneOf('Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn'),
  'Processing state of the event.',
)
export type EventState = Static<typeof EventState>
export const EventStatus = named('EventStatus', oneOf('Active', 'Past', 'Upcoming'), 'Status of the event today.')
export type EventStatus = Static<typeof EventStatus>
export const Electable = named(
  'Electable',
  oneOf('Electable', 'NotElectable'),
  'Whether holders can elect one of several options.',
)
export const ElectionStatus = named(
  'ElectionStatus',
  oneOf('Elected', 'NotElected', 'PartialElected'),
  'Whether all, none or a part of the holding has been elected.',
)
export type ElectionStatus = Static<typeof ElectionStatus>
export const InformationToComply = named(
  'InformationToComply',
  oneOf('RestrictionsMayApply'),
  'Set if some holders may be excluded.',
)
export const DateStatus = named(
  'EventDateStatus',
  oneOf('Ongoing', 'Unknown'),
  'Replaces a date that is unknown or open-ended.',
)
export const PriceType = named('EventPriceType', oneOf('Actual', 'Percentage'), 'An amount of money, or a percentage.')
export const MovementType = named('MovementType', oneOf('Credit', 'Debit', 'Unknown'), 'Direction of the movement.')
export const OptionStatus = named(
  'EventOptionStatus',
  oneOf('Cancelled', 'Inactive', 'Unknown'),
  'Set if the option is not available.',
)
export const ElectionType = named('ElectionType', oneOf('Auto', 'Manual'), 'Elected by default, or by a user.')
export const InstructionStatus = named(
  'InstructionStatus',
  oneOf('Accepted', 'InProgress', 'Rejected'),
  'Status of the instruction.',
)
export const StandingInstructionStatus = named(
  'StandingInstructionStatus',
  oneOf('Created', 'NotCreated'),
  'Whether a standing instruction of the account elects by itself. Only for dividend options and reinvestments.',
)
export type StandingInstructionStatus = Static<typeof StandingInstructionStatus>

export const Indicator = named('EventIndicator', oneOf(...indicators), 'Subject of the indicator.')

export const sortColumns = words(
  'AffectedAccounts AnnouncedDate CorporateActionType Date EligibleHoldings EventId EventType InstrumentDescription',
  'UpdatedDateTime',
)
export const SortColumn = named(
  'EventSortColumn',
  oneOf(...sortColumns),
  'Sort key. Date is the ex date, else the effective, record, first payment or announcement date.',
)
export type SortColumn = (typeof sortColumns)[number]
export const SortType = named('SortType', oneOf('Asc', 'Desc'), 'Ascending or descending.')
export type SortType = Static<typeof SortType>

export const LookupGroup = named(
  'EventLookupGroup',
  oneOf('All', 'AllAssetTypes', 'AllEventTypes', 'AssetTypes', 'EventTypes'),
  'Lists of filter values.',
)
export type LookupGroup = Static<typeof LookupGroup>
