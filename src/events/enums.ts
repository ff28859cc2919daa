import type { Static } from 'typebox'
import { oneOf } from '../core/schema.ts'

/** The closed sets of corporate actions (contract §7), each declared once. */
export const CorporateActionType = oneOf('Mandatory', 'Voluntary')
export const EventState = oneOf('Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn')
export type EventState = Static<typeof EventState>
export const EventStatus = oneOf('Active', 'Past', 'Upcoming')
export type EventStatus = Static<typeof EventStatus>
export const Electable = oneOf('Electable', 'NotElectable')
export const ElectionStatus = oneOf('Elected', 'NotElected', 'PartialElected')
export type ElectionStatus = Static<typeof ElectionStatus>
export const InformationToComply = oneOf('RestrictionsMayApply')
export const DateStatus = oneOf('Ongoing', 'Unknown')
export const PriceType = oneOf('Actual', 'Percentage')
export const MovementType = oneOf('Credit', 'Debit', 'Unknown')
export const OptionStatus = oneOf('Cancelled', 'Inactive', 'Unknown')
export const ElectionType = oneOf('Auto', 'Manual')
export const InstructionStatus = oneOf('Accepted', 'InProgress', 'Rejected')

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
export const Indicator = oneOf(...indicators)
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
export const SortColumn = oneOf(...sortColumns)
export type SortColumn = (typeof sortColumns)[number]
export const SortType = oneOf('Asc', 'Desc')
export type SortType = Static<typeof SortType>

export const LookupGroup = oneOf('All', 'AllAssetTypes', 'AllEventTypes', 'AssetTypes', 'EventTypes')
export type LookupGroup = Static<typeof LookupGroup>
