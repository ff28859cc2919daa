import type { WireProfile } from '../../core/wire-profile.ts'
import { electionStatus } from '../rules/elections.ts'
import { eventStatus } from '../rules/listing.ts'
import type { EventRow, HoldingRow } from '../store/events.ts'
import type { ScopeFound } from '../store/scope.ts'
import type { Holding } from './schema.ts'

/** A day within a document, as only DateAndStatus and Payment have it. Within a text its quotes would be escaped. */
const dayMember = /"Date":"(\d{4}-\d\d-\d\d)"/g

/** How an event is told: of which client, on which day, in which form. */
export type ViewOptions = Readonly<{ client: ScopeFound; clientKey: string; today: string; profile: WireProfile }>

/** An event as JSON (§2.10): its document, which is ready but for the form of its days, and what depends on the day and on
 *  who asks. */
export function eventJson(row: EventRow, telling: ViewOptions): string {
  const { today, profile } = telling
  const document = row.document.replaceAll(dayMember, `"Date":"$1${profile.daySuffix}"`)
  const { description, isin, symbol } = row
  const names = { Description: description ?? undefined, IsinCode: isin ?? undefined, Symbol: symbol ?? undefined }
  const counts = { AffectedAccounts: row.affected, EligibleHoldings: Number(row.eligible) }
  const holdings = row.holdings === null ? [] : (JSON.parse(row.holdings) as HoldingRow[])
  const rest = JSON.stringify({
    DisplayAndFormat: (description ?? isin ?? symbol) ? names : undefined,
    EventStatus: eventStatus({ status: row.status, startsOn: row.starts_on, endsOn: row.ends_on }, today),
    ElectionStatus: electionStatus(row.is_electable, Number(row.size), Number(row.elected)),
    UpdatedDateTime: row.updated_at.toString({ smallestUnit: 'microsecond' }),
    ...(holdings.length < row.affected && counts),
    ...(row.holdings !== null && { Holdings: holdings.map((one) => holding(row, one, telling)) }),
  })
  return `${document.slice(0, -1)},${rest.slice(1)}`
}

function holding(event: EventRow, row: HoldingRow, { client, clientKey }: ViewOptions): Holding {
  const [AccountKey, AccountId, Amount, ElectedAmount, elections] = row
  const status = electionStatus(event.is_electable, Amount, ElectedAmount)
  return {
    AccountDisplayName: AccountId,
    AccountId,
    AccountKey,
    Amount,
    ClientId: client.client_id ?? '',
    ClientKey: clientKey,
    ClientName: client.client_name ?? '',
    ElectedAmount,
    ...(status && { ElectionStatus: status }),
    EventId: event.event_id,
    ...(client.owner_id !== null && { OwnerId: client.owner_id }),
    ...(elections as Pick<Holding, 'Options' | 'CashReserved'>),
  }
}

/** A feed of events, its members in the order in which they are ready. */
export function feedJson(
  texts: readonly string[],
  members: { count: number; next: string | undefined; maxRows: number },
) {
  const next = members.next === undefined ? '' : `"__next":${JSON.stringify(members.next)},`
  return `{"__count":${members.count},${next}"MaxRows":${members.maxRows},"Data":[${texts.join(',')}]}`
}
