import type { FastifyRequest } from 'fastify'
import { writerOf } from '../../access/caller.ts'
import { appendAudit } from '../../audit/append.ts'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { invalid, invalidToken, notFound, Problem, preconditionFailed } from '../../core/problem.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { isAmong } from '../../http/output/caching.ts'
import { momentOf, requireScope } from '../api/list.ts'
import { EventWriter, holdingTag } from '../api/view.ts'
import { factsOf, SharedTexts } from '../catalogue/event-index.ts'
import type { Elections } from '../import/canonical.ts'
import type { EventOptionRecord } from '../import/schema.ts'
import { sumOf } from '../rules/decimals.ts'
import { cashReserved } from '../rules/elections/cash-reserved.ts'
import { isApplied } from '../rules/elections/closing.ts'
import { type RequestedOption, rejectionOf } from '../rules/elections/election.ts'
import { type EventFacts, instrumentKey, type Moment } from '../rules/facts.ts'
import type { AccountHolding } from '../rules/holdings.ts'
import { searchedStates } from '../rules/listing.ts'
import {
  clientOfAccount,
  type LockedEvent,
  lockAccount,
  lockEvent,
  readElections,
  userNameOf,
  writeElection,
} from '../store/elections.ts'
import { readHoldings } from '../store/holdings.ts'
import { findScope } from '../store/scope.ts'

export type ElectionDependencies = Readonly<{ db: Db; clock: Clock; feed: ChangeFeed; isAccepted: boolean }>

/** Who elects, and from where. */
export type Elector = Readonly<{
  caller: Pick<Caller, 'UserKey' | 'ClientKey' | 'appKey'> & Readonly<{ sessionId?: string }>
  address: string
  ifMatch?: string | undefined
}>

/** The caller of an operation. If-Match is that of one holding, so it has no meaning in bulk. */
export const electorOf = (request: FastifyRequest): Elector => ({ caller: writerOf(request), address: request.ip })

/** Elects for one account, all or nothing (§7.9). Returns the tag of the holding afterwards. */
export async function elect(deps: ElectionDependencies, by: Elector, asked: Asked): Promise<string> {
  const { db, feed, isAccepted } = deps
  if (!isAccepted) throw notAccepted()
  const clientKey = await ownClientOf(db, by.caller, asked.AccountKey)
  // What the caller could know. If it is different once the account is locked, another election has won.
  const before = await readElections(db, asked.EventId, asked.AccountKey)
  const { tag, number } = await db.transaction().execute(async (trx) => {
    if (!(await lockAccount(trx, asked.AccountKey))) throw notFound('AccountKey')
    const event = await lockEvent(trx, asked.EventId)
    // Reads the clock now: a deadline may have passed while the election waited.
    return new Election(deps, by, { ...asked, clientKey }).make(trx, event, before)
  })
  await feed.deliver('election', String(number))
  return tag
}

/** The client of an account that the caller may elect for. All others look like unknown ones, whatever the event. */
async function ownClientOf(db: Db, { ClientKey }: Elector['caller'], accountKey: string): Promise<string> {
  const clientKey = await clientOfAccount(db, accountKey)
  const scope = { callerClientKey: ClientKey, clientKey: clientKey ?? '', accountKey, includesSubClients: false }
  const { has_client, has_account } = await findScope(db, scope)
  if (clientKey === undefined || !has_client || !has_account) throw notFound('AccountKey')
  return clientKey
}

/** What is elected may depend on what is held. */
export type Asked = Readonly<{
  EventId: string
  AccountKey: string
  optionsOf(amount: number, options: readonly EventOptionRecord[]): readonly RequestedOption[]
}>
type AskedOfClient = Asked & Readonly<{ clientKey: string }>
type Present = Readonly<{ present: Elections | null; options: readonly EventOptionRecord[]; ElectedBy: string }>
type Found = Readonly<{ facts: EventFacts; holding: AccountHolding; writer: EventWriter }>

/** An election at the moment when it is made. Its account and event must be locked. */
class Election {
  readonly #by: Elector
  readonly #asked: AskedOfClient
  readonly #moment: Moment
  readonly #now: Temporal.Instant

  constructor({ clock }: ElectionDependencies, by: Elector, asked: AskedOfClient) {
    this.#by = by
    this.#asked = asked
    this.#now = clock.now()
    this.#moment = momentOf({ clock })
  }

  async make(trx: Trx, event: LockedEvent | undefined, before: string | undefined) {
    const { EventId: eventId, AccountKey: accountKey } = this.#asked
    const present = await readElections(trx, eventId, accountKey)
    const facts = event && factsOf(event.row, new SharedTexts())
    if (!facts || !searchedStates(undefined).includes(facts.state)) throw notFound(`Event ${eventId}`)
    const { holding, writer } = await this.#find(trx, facts)
    this.#requireUnchanged(writer.holding(facts, holding), present === before)
    if (isApplied(facts, this.#moment.nowMs)) throw notElectable('The last deadline of the event has passed.')
    const { amount } = holding
    const elections = present === undefined ? null : (JSON.parse(present) as Elections)
    const requested = this.#asked.optionsOf(amount, event.options)
    const rejection = rejectionOf({
      state: facts.state,
      isElectable: facts.isElectable,
      options: event.options,
      amount,
      present: elections?.Options ?? [],
      requested,
      nowMs: this.#moment.nowMs,
    })
    if (rejection) throw 'reason' in rejection ? notElectable(rejection.reason) : invalid(rejection.modelState)
    const made = this.#elections(requested, {
      present: elections,
      options: event.options,
      ElectedBy: await this.#userName(trx),
    })
    const elected = sumOf(requested.map(({ Amount }) => Amount))
    const { UserKey: userKey, appKey } = this.#by.caller
    const number = await writeElection(trx, {
      ...{ eventId, accountKey, elections: made, elected },
      ...{ at: this.#now, userKey, appKey },
    })
    await this.#audit(trx, number, requested)
    return { number, tag: holdingTag(writer.holding(facts, { ...holding, elected, elections: made })) }
  }

  /** The holding that the event applies to, if the caller may see it. */
  async #find(trx: Trx, facts: EventFacts): Promise<Found> {
    const { clientKey, AccountKey: accountKey, EventId } = this.#asked
    const scope = { callerClientKey: this.#by.caller.ClientKey, clientKey, accountKey, includesSubClients: false }
    const { eventId, uic, assetType } = facts
    const { found, holdings } = await readHoldings(trx, scope, this.#moment.today, { eventId, uic, assetType })
    if (!found.has_client) throw notFound('AccountKey')
    requireScope(found)
    const applied = holdings.get(instrumentKey(assetType, uic))?.applied(facts, this.#moment)
    const holding = applied?.holdings?.[0]
    if (!holding) throw notFound(`Event ${EventId}`)
    return { facts, holding, writer: new EventWriter({ client: found, clientKey, today: this.#moment.today }) }
  }

  #requireUnchanged(holding: string, isUnchanged: boolean): void {
    const { ifMatch } = this.#by
    if (ifMatch === undefined ? isUnchanged : isAmong(ifMatch, holdingTag(holding))) return
    throw ifMatch === undefined ? changedMeanwhile(holding) : preconditionFailed()
  }

  #elections(requested: readonly RequestedOption[], { present, options, ElectedBy }: Present): Elections {
    const Options = requested
      .filter(({ Amount }) => Amount !== 0)
      .map(({ OptionId, Amount, Remarks }) => ({
        OptionId,
        ElectedAmount: Amount,
        ElectedBy,
        ElectionType: 'Manual' as const,
        Instruction: { Status: 'Accepted' as const },
        // PostgreSQL cannot read half a character.
        ...(Remarks !== undefined && { Remarks: Remarks.toWellFormed() }),
      }))
    const status = present?.StandingInstructionStatus
    const cash = cashReserved(Options, options)
    return {
      ...(Options.length > 0 && { Options }),
      ...(cash && { CashReserved: cash }),
      ...(status && { StandingInstructionStatus: status }),
    }
  }

  async #userName(trx: Trx): Promise<string> {
    const name = await userNameOf(trx, this.#by.caller.UserKey)
    if (name === undefined) throw invalidToken()
    return name
  }

  #audit(trx: Trx, number: number, requested: readonly RequestedOption[]): Promise<void> {
    const { caller, address } = this.#by
    const { UserKey: user, appKey: app, sessionId: session } = caller
    const { EventId: event, AccountKey: account } = this.#asked
    const options = requested.map(({ OptionId, Amount }) => `${OptionId}: ${Amount}`).join(', ')
    const detail = { number, event, account, options: options || 'none' }
    const who = { user, app, address, ...(session !== undefined && { session }) }
    return appendAudit(trx, { at: this.#now, kind: 'Elected', ...who, detail })
  }
}

export const notAccepted = (): Problem =>
  new Problem(
    'RequestNotAllowed',
    'This service takes no elections. Its operator can allow them with ELECTIONS=accept.',
  )

const notElectable = (reason: string): Problem => new Problem('NotElectable', reason)

const changedMeanwhile = (holding: string): Problem =>
  new Problem('ElectionChanged', 'Another election of this holding was made at the same time. Holding shows it.', {
    members: { Holding: JSON.parse(holding) },
  })
