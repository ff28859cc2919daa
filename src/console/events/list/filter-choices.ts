import type { LookupResponse } from '../../../events/api/schema.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import type { Choice } from '../../shared/elements.ts'
import type { Choices } from './filters.ts'

export type Account = Readonly<{ AccountId: string; AccountKey: string; AccountGroupKey?: string }>

/** What the filters offer: what occurs (operation 9), the accounts, and the closed sets. */
export function choicesFrom(lookup: LookupResponse['Data'], accounts: readonly Account[]): Choices {
  const occurring = (group: string, nameOf?: (code: string) => string): Choice[] => {
    const values = lookup.find(({ FieldGroup }) => FieldGroup === group)?.Values ?? []
    return values
      .map(({ Code, Name }) => ({ value: Code, name: nameOf?.(Code) ?? Name }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  }
  return {
    ...closedChoices,
    EventTypes: occurring('EventTypes'),
    AssetTypes: occurring('AssetTypes', assetTypeName),
    AccountKey: accounts.map(({ AccountKey, AccountId }) => ({ value: AccountKey, name: AccountId })),
    AccountGroupKey: groupsOf(accounts),
  }
}

/** A group has no name on the wire: its accounts say which it is. */
function groupsOf(accounts: readonly Account[]): Choice[] {
  const groups = Map.groupBy(accounts, ({ AccountGroupKey }) => AccountGroupKey)
  return [...groups].flatMap(([value, members]) => {
    const ids = members.map(({ AccountId }) => AccountId)
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : ''
    return value === undefined ? [] : [{ value, name: `${ids.slice(0, 3).join(', ')}${more}` }]
  })
}

const choice = (value: string, name = value): Choice => ({ value, name })

const closedChoices: Choices = {
  CorporateActionTypes: [choice('Mandatory'), choice('Voluntary')],
  ElectionStatuses: [
    choice('NotElected,PartialElected', 'Not or partly elected'),
    choice('NotElected', 'Not elected'),
    choice('PartialElected', 'Partly elected'),
    choice('Elected'),
  ],
  EventStatus: [choice('Upcoming'), choice('Active'), choice('Past')],
  EventStates: ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn', 'Cancelled', 'Complete'].map((one) => choice(one)),
  SortColumn: [
    choice('Date'),
    choice('AnnouncedDate', 'Announcement'),
    choice('UpdatedDateTime', 'Last change'),
    choice('EventType', 'Event type'),
    choice('InstrumentDescription', 'Instrument'),
    choice('CorporateActionType', 'Kind'),
    choice('EventId', 'Event id'),
    choice('AffectedAccounts', 'Affected accounts'),
    choice('EligibleHoldings', 'Eligible holdings'),
  ],
  SortType: [choice('Desc', 'Descending'), choice('Asc', 'Ascending')],
}
