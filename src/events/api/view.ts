import type { WireProfile } from '../../core/wire-profile.ts'
import { electionStatus, eventStatus, standingInstructionStatus } from '../rules/listing.ts'
import type { EventRow, HoldingRow } from '../store/events.ts'
import type { ScopeFound } from '../store/scope.ts'
import type { Holding } from './schema.ts'

/** A day in a stored document. Inside a text its quotes would be escaped, so only fields match. */
const dayField = /"Date":"(\d{4}-\d\d-\d\d)"/g
/** The same of a deadline, which is a date-time in both profiles (§2.2). */
const deadlineDay = /(?<=Deadline":\{"Date":"\d{4}-\d\d-\d\d)"/g

export type ViewOptions = Readonly<{ client: ScopeFound; clientKey: string; today: string; profile: WireProfile }>

/** An event as JSON (§7.5): the stored document plus the fields that depend on the day and the caller. */
export function eventJson(row: EventRow, options: ViewOptions): string {
  const { today, profile } = options
  const document = row.document
    .replaceAll(deadlineDay, 'T00:00:00Z"')
    .replaceAll(dayField, `"Date":"$1${profile.daySuffix}"`)
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
    ...(row.holdings !== null && { Holdings: holdings.map((each) => holdingView(row, each, options)) }),
  })
  return `${document.slice(0, -1)},${rest.slice(1)}`
}

function holdingView(event: EventRow, row: HoldingRow, { client, clientKey }: ViewOptions): Holding {
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
    OwnerId: client.owner_id ?? '',
    ...electionsView(event, elections),
  }
}

/** Cash that is reserved is an amount unless the record says otherwise (§7.5). */
function electionsView({ event_type }: EventRow, elections: HoldingRow[4]) {
  const { CashReserved, StandingInstructionStatus: given, ...rest } = elections ?? {}
  const status = standingInstructionStatus(event_type, given)
  return {
    ...rest,
    ...(CashReserved && { CashReserved: { ...CashReserved, Type: CashReserved.Type ?? 'Actual' } }),
    ...(status && { StandingInstructionStatus: status }),
  }
}

export function feedJson(
  events: readonly string[],
  { count, next, maxRows }: { count: number; next: string | undefined; maxRows: number },
): string {
  const link = next === undefined ? '' : `"__next":${JSON.stringify(next)},`
  return `{"__count":${count},${link}"MaxRows":${maxRows},"Data":[${events.join(',')}]}`
}
