import type { LookupResponse } from '../../../events/api/schema.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import type { Choice } from '../../shared/fields.ts'
import type { Choices } from './filters.ts'

export type Account = Readonly<{ AccountId: string; AccountKey: string; AccountGroupKey?: string }>

/** The choices of the filters: values that occur (operation 9), the accounts, and fixed sets. */
export function choicesFrom(lookup: LookupResponse['Data'], accounts: readonly Account[]): Choices {
  const occurring = (group: string, nameOf?: (code: string) => string): Choice[] => {
    const values = lookup.find(({ FieldGroup }) => FieldGroup === group)?.Values ?? []
    return values
      .map(({ Code, Name }) => [Code, nameOf?.(Code) ?? Name] as const)
      .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
  }
  return {
    ...fixedChoices,
    EventTypes: occurring('EventTypes'),
    AssetTypes: occurring('AssetTypes', assetTypeName),
    AccountKey: accounts.map(({ AccountKey, AccountId }) => [AccountKey, AccountId]),
    AccountGroupKey: groupsOf(accounts),
  }
}

/** Groups have no name in the API, so they are named by their accounts. */
function groupsOf(accounts: readonly Account[]): Choice[] {
  const groups = Map.groupBy(accounts, ({ AccountGroupKey }) => AccountGroupKey)
  return [...groups].flatMap(([key, members]) => {
    const ids = members.map(({ AccountId }) => AccountId)
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : ''
    return key === undefined ? [] : [[key, `${ids.slice(0, 3).join(', ')}${more}`] as const]
  })
}

const same = (...values: string[]): Choice[] => values.map((value) => [value, value])

const fixedChoices: Choices = {
  CorporateActionTypes: same('Mandatory', 'Voluntary'),
  ElectionStatuses: [
    ['NotElected,PartialElected', 'Not or partially elected'],
    ['NotElected', 'Not elected'],
    ['PartialElected', 'Partially elected'],
    ['Elected', 'Elected'],
  ],
  EventStatus: same('Upcoming', 'Active', 'Past'),
  EventStates: same('Approved', 'Confirmed', 'Preliminary', 'Withdrawn', 'Cancelled', 'Complete'),
  SortColumn: [
    ['Date', 'Date'],
    ['AnnouncedDate', 'Announcement date'],
    ['UpdatedDateTime', 'Last update'],
    ['EventType', 'Event type'],
    ['InstrumentDescription', 'Instrument'],
    ['CorporateActionType', 'Participation'],
    ['EventId', 'Event ID'],
    ['AffectedAccounts', 'Affected accounts'],
    ['EligibleHoldings', 'Eligible holdings'],
  ],
  SortType: [
    ['Desc', 'Descending'],
    ['Asc', 'Ascending'],
  ],
}
