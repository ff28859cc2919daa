import { etagOfBytes } from '../../http/output/caching.ts'
import type { EventDocument } from '../catalogue/documents.ts'
import { takesStandingInstructions } from '../rules/elections/closing.ts'
import type { EventFacts } from '../rules/facts.ts'
import { type Account, type AccountHolding, standingFor } from '../rules/holdings.ts'
import { electionStatus, eventStatus, standingInstructionStatus } from '../rules/listing.ts'
import type { ListedEvent } from '../rules/order.ts'
import type { ScopeFound } from '../store/scope.ts'

export type ViewOptions = Readonly<{ client: ScopeFound; clientKey: string; today: string; maxAccounts?: number }>

/** An event as JSON (§7.5): the part that all callers share, and the fields that depend on the day and the caller. */
export type EventJson = Readonly<{ shared: EventDocument; own: string }>

export const eventBytes = ({ shared, own }: EventJson): Buffer => Buffer.concat([shared.head, Buffer.from(own)])

/** Writes events for one caller. What repeats in every holding is written as JSON once; a serializer would do it each time. */
export class EventWriter {
  readonly #options: ViewOptions
  readonly #client: string
  readonly #owner: string
  readonly #accounts = new Map<Account, string>()

  constructor(options: ViewOptions) {
    const { client, clientKey } = options
    this.#options = options
    this.#client = membersOf({
      ClientId: client.client_id ?? '',
      ClientKey: clientKey,
      ClientName: client.client_name ?? '',
    })
    this.#owner = membersOf({ OwnerId: client.owner_id ?? '' })
  }

  write({ event, applied }: ListedEvent, shared: EventDocument): EventJson {
    const { affected, eligible, size, elected, holdings } = applied
    const { today, maxAccounts } = this.#options
    const shown = maxAccounts === undefined ? holdings : holdings?.slice(0, maxAccounts)
    const isComplete = shown !== undefined && shown.length === affected
    const election = electionMember(electionStatus(event.isElectable, size, elected))
    const totals = isComplete ? '' : `,"AffectedAccounts":${affected},"EligibleHoldings":${eligible}`
    const holders = shown ? `,"Holdings":[${this.#holdings(event, shown)}]}` : '}'
    const status = `,"EventStatus":"${eventStatus(event, today)}"${election}`
    return { shared, own: `${status},"UpdatedDateTime":"${shared.updatedDateTime}"${totals}${holders}` }
  }

  #holdings(event: EventFacts, holdings: readonly AccountHolding[]): string {
    const ofEvent = this.#ofEvent(event)
    return holdings.map((holding) => this.#holding(event, holding, ofEvent)).join(',')
  }

  /** One holding of an event as JSON. */
  holding(event: EventFacts, holding: AccountHolding): string {
    return this.#holding(event, holding, this.#ofEvent(event))
  }

  #ofEvent({ eventId }: EventFacts): string {
    return `${membersOf({ EventId: eventId })},${this.#owner}`
  }

  #holding(event: EventFacts, { account, amount, elected, elections }: AccountHolding, ofEvent: string): string {
    const status = electionMember(electionStatus(event.isElectable, amount, elected))
    const start = `{${this.#account(account)},"Amount":${amount},${this.#client},"ElectedAmount":${elected}`
    return `${start}${status},${ofEvent}${electionsJson(event, account, elections)}}`
  }

  #account(account: Account): string {
    const { id, key } = account
    const known = this.#accounts.get(account) ?? membersOf({ AccountDisplayName: id, AccountId: id, AccountKey: key })
    this.#accounts.set(account, known)
    return known
  }
}

/** Identifies a state of a holding, for If-Match. */
export const holdingTag = (holding: string): string => etagOfBytes(holding)

/** The members of an object as JSON, without its braces. */
const membersOf = (object: object): string => JSON.stringify(object).slice(1, -1)

const electionMember = (status: string | undefined): string =>
  status === undefined ? '' : `,"ElectionStatus":"${status}"`

/** Cash that is reserved is an amount unless the record says otherwise (§7.5). */
function electionsJson(event: EventFacts, account: Account, elections: AccountHolding['elections']): string {
  const standing = standingFor(account, event)
  const isStanding = takesStandingInstructions(event.eventType) && standing.some(([, , untilMs]) => untilMs === null)
  const given = isStanding ? 'Created' : elections?.StandingInstructionStatus
  const status = standingInstructionStatus(event.eventType, given)
  if (elections === null) return status === undefined ? '' : `,"StandingInstructionStatus":"${status}"`
  const { CashReserved, StandingInstructionStatus: _, ...rest } = elections
  const members = membersOf({
    ...rest,
    ...(CashReserved && { CashReserved: { ...CashReserved, Type: CashReserved.Type ?? 'Actual' } }),
    ...(status && { StandingInstructionStatus: status }),
  })
  return members && `,${members}`
}

/** A feed as bytes, which are joined when they are needed. Its tag is made from the hashes of the documents instead of
 *  their bytes, which are several times as many. */
export function feedJson(
  events: readonly EventJson[],
  { count, next, maxRows }: { count: number; next: string | undefined; maxRows: number },
) {
  const link = next === undefined ? '' : `"__next":${JSON.stringify(next)},`
  const start = `{"__count":${count},${link}"MaxRows":${maxRows},"Data":[`
  let text = start
  for (const { shared, own } of events) text += shared.digest + own
  // Encoded in one call: most of its cost does not depend on the length.
  const tagged = Buffer.from(text)
  const isAscii = tagged.length === text.length
  const lengthOf = (part: string) => (isAscii ? part.length : Buffer.byteLength(part))
  return { etag: etagOfBytes(tagged), bytes: () => joined(tagged, lengthOf(start), events, lengthOf) }
}

const comma = 44
const end = Buffer.from(']}')

/** `tagged`: the start, then the digest and the own part of each event. */
function joined(
  tagged: Buffer,
  startLength: number,
  events: readonly EventJson[],
  lengthOf: (part: string) => number,
): Buffer {
  let size = startLength + events.length + end.length
  for (const { shared, own } of events) size += shared.head.length + lengthOf(own)
  const bytes = Buffer.allocUnsafe(size)
  let from = startLength
  let at = tagged.copy(bytes, 0, 0, startLength)
  for (const { shared, own } of events) {
    from += shared.digest.length
    at += shared.head.copy(bytes, at)
    const next = from + lengthOf(own)
    at += tagged.copy(bytes, at, from, next)
    from = next
    bytes[at++] = comma
  }
  // The end takes the place of the last comma.
  if (events.length > 0) at--
  at += end.copy(bytes, at)
  return bytes.subarray(0, at)
}
