import type { EventDocument } from '../catalogue/documents.ts'
import type { EventFacts } from '../rules/facts.ts'
import type { AccountHolding } from '../rules/holdings.ts'
import { electionStatus, eventStatus, standingInstructionStatus } from '../rules/listing.ts'
import type { ListedEvent } from '../rules/order.ts'
import type { ScopeFound } from '../store/scope.ts'
import type { Holding } from './schema.ts'

export type ViewOptions = Readonly<{ client: ScopeFound; clientKey: string; today: string; maxAccounts?: number }>

/** An event as JSON (§7.5): the part that all callers share, and the fields that depend on the day and the caller. */
export type EventJson = readonly [shared: Buffer, own: Buffer]

export function eventJson({ event, applied }: ListedEvent, document: EventDocument, options: ViewOptions): EventJson {
  const { affected, eligible, size, elected } = applied
  const holdings = applied.holdings?.slice(0, options.maxAccounts)
  const own = JSON.stringify({
    EventStatus: eventStatus(event, options.today),
    ElectionStatus: electionStatus(event.isElectable, size, elected),
    UpdatedDateTime: document.updatedDateTime,
    ...((holdings?.length ?? 0) < affected && { AffectedAccounts: affected, EligibleHoldings: eligible }),
    ...(holdings && { Holdings: holdings.map((each) => holdingView(event, each, options)) }),
  })
  return [document.head, Buffer.from(`,${own.slice(1)}`)]
}

function holdingView(event: EventFacts, holding: AccountHolding, { client, clientKey }: ViewOptions): Holding {
  const { account, amount, elected, elections } = holding
  const status = electionStatus(event.isElectable, amount, elected)
  return {
    AccountDisplayName: account.id,
    AccountId: account.id,
    AccountKey: account.key,
    Amount: amount,
    ClientId: client.client_id ?? '',
    ClientKey: clientKey,
    ClientName: client.client_name ?? '',
    ElectedAmount: elected,
    ...(status && { ElectionStatus: status }),
    EventId: event.eventId,
    OwnerId: client.owner_id ?? '',
    ...electionsView(event, elections),
  }
}

/** Cash that is reserved is an amount unless the record says otherwise (§7.5). */
function electionsView({ eventType }: EventFacts, elections: AccountHolding['elections']) {
  const { CashReserved, StandingInstructionStatus: given, ...rest } = elections ?? {}
  const status = standingInstructionStatus(eventType, given)
  return {
    ...rest,
    ...(CashReserved && { CashReserved: { ...CashReserved, Type: CashReserved.Type ?? 'Actual' } }),
    ...(status && { StandingInstructionStatus: status }),
  }
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

export function feedJson(
  events: readonly EventJson[],
  { count, next, maxRows }: { count: number; next: string | undefined; maxRows: number },
): Buffer {
  const link = next === undefined ? '' : `"__next":${JSON.stringify(next)},`
  const start = Buffer.from(`{"__count":${count},${link}"MaxRows":${maxRows},"Data":[`)
  const parts = events.flatMap((json, at) => (at === 0 ? json : [comma, ...json]))
  return Buffer.concat([start, ...parts, end])
}
