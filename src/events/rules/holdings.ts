import type { Elections } from '../import/canonical.ts'
import { sumOf } from './decimals.ts'
import { appliedElections, isApplied, type Standing } from './elections/closing.ts'
import { type EventFacts, instrumentKey, type Moment } from './facts.ts'

/** What an event means to the selected accounts: how many it applies to, what they hold, and the sums of what they hold and
 *  have elected without sign (short positions are negative). */
export type Applied = Readonly<{
  affected: number
  eligible: number
  size: number
  elected: number
  /** The accounts by id; absent if only totals are known. */
  holdings?: readonly AccountHolding[]
}>

export type AccountHolding = Readonly<{
  account: Account
  amount: number
  elected: number
  elections: Elections | null
}>

/** What the selected accounts hold of one instrument. */
export interface Held {
  /** Undefined if the event applies to none of them. */
  applied(event: EventFacts, moment: Moment): Applied | undefined
  /** Whether any of them holds it today or held it before. */
  wasHeld(today: string): boolean
}
export type Holdings = ReadonlyMap<string, Held>

/** The amount that an account holds from one day until before another. Days may be -infinity and infinity, which compare
 *  as texts like days before and after all others. */
type PositionRecord = readonly [from: string, until: string, amount: number]
type Election = readonly [elected: number, elections: Elections | null]
export type Account = Readonly<{
  key: string
  id: string
  elections: ReadonlyMap<string, Election>
  /** Its standing instructions by instrument, also those that have ended. */
  standing: ReadonlyMap<string, readonly Standing[]>
}>

export type AccountRow = readonly [
  key: string,
  id: string,
  positions: readonly (readonly [uic: number, assetType: string, ...PositionRecord])[] | null,
  elections: readonly (readonly [eventId: string, ...Election])[] | null,
  standing: readonly (readonly [uic: number, assetType: string, ...Standing])[] | null,
]

const holdsOn = (from: string, until: string, day: string): boolean => from <= day && day < until

const notElected: Election = [0, null]
const noStanding: readonly Standing[] = []

/** The standing instructions of an account for the instrument of an event. */
export const standingFor = (
  { standing }: Pick<Account, 'standing'>,
  { assetType, uic }: Pick<EventFacts, 'assetType' | 'uic'>,
): readonly Standing[] =>
  // Most accounts have none, and making a key is slow.
  standing.size === 0 ? noStanding : (standing.get(instrumentKey(assetType, uic)) ?? noStanding)

/** The record date if it is past: then the holdings on that day count, else those of today (§7.1). */
export const pastRecordDate = ({ recordOn }: EventFacts, today: string): string | undefined =>
  recordOn !== null && recordOn < today ? recordOn : undefined

/** The holdings of single accounts; the rows are sorted by account id. */
export function accountHoldings(rows: readonly AccountRow[]): Holdings {
  const holdings = new Map<string, HeldByAccounts>()
  for (const [key, id, positions, elections, standing] of rows) {
    const account = {
      key,
      id,
      elections: new Map(elections?.map(([eventId, ...election]) => [eventId, election])),
      standing: standingOf(standing ?? []),
    }
    for (const [uic, assetType, ...record] of positions ?? []) {
      const instrument = instrumentKey(assetType, uic)
      const held = holdings.get(instrument) ?? new HeldByAccounts()
      holdings.set(instrument, held)
      held.add(account, record)
    }
  }
  return holdings
}

function standingOf(rows: NonNullable<AccountRow[4]>): ReadonlyMap<string, readonly Standing[]> {
  const byInstrument = Map.groupBy(rows, ([uic, assetType]) => instrumentKey(assetType, uic))
  return new Map([...byInstrument].map(([key, given]) => [key, given.map(([, , ...standing]) => standing)]))
}

class HeldByAccounts implements Held {
  readonly #accounts: { account: Account; records: PositionRecord[] }[] = []

  add(account: Account, record: PositionRecord): void {
    const last = this.#accounts.at(-1)
    if (last?.account === account) last.records.push(record)
    else this.#accounts.push({ account, records: [record] })
  }

  wasHeld(today: string): boolean {
    return this.#accounts.some(({ records }) => records.some(([from, , amount]) => from <= today && amount !== 0))
  }

  applied(event: EventFacts, { today, nowMs }: Moment): Applied | undefined {
    const recordDate = pastRecordDate(event, today)
    const holdings: AccountHolding[] = []
    for (const { account, records } of this.#accounts) {
      const now = amountOn(records, today)
      const amount = recordDate === undefined ? now : amountOn(records, recordDate)
      if (now === 0 && amount === 0) continue
      const given = account.elections.get(event.eventId) ?? notElected
      const held = { amount, elected: given[0], elections: given[1], standing: standingFor(account, event) }
      const { elected, elections } = appliedElections(event, nowMs, held)
      holdings.push({ account, amount, elected, elections })
    }
    if (holdings.length === 0) return undefined
    if (holdings.length === 1) {
      const { amount, elected } = holdings[0] as AccountHolding
      return { affected: 1, eligible: amount, size: Math.abs(amount), elected: Math.abs(elected), holdings }
    }
    return {
      affected: holdings.length,
      eligible: sumOf(holdings.map(({ amount }) => amount)),
      size: sumOf(holdings.map(({ amount }) => Math.abs(amount))),
      elected: sumOf(holdings.map(({ elected }) => Math.abs(elected))),
      holdings,
    }
  }
}

function amountOn(records: readonly PositionRecord[], day: string): number {
  for (const record of records) if (holdsOn(record[0], record[1], day)) return record[2]
  return 0
}

/** All records other than zero that begin and end on the same days, summed over accounts. Those that hold today end at
 *  infinity. `holdsToday`: the accounts hold something today, in this record or in a later one. */
export type Period = readonly [from: string, until: string, holdsToday: boolean]
export type PeriodRow = readonly [
  uic: number,
  assetType: string,
  ...Period,
  accounts: number,
  amount: number,
  size: number,
]
export type ElectionRow = readonly [eventId: string, ...Period, elected: number]

/** The holdings of many accounts, of which only totals are known. */
export function totalHoldings(periods: readonly PeriodRow[], elections: readonly ElectionRow[]): Holdings {
  const electionsOf = Map.groupBy(elections, ([eventId]) => eventId)
  const ofInstrument = Map.groupBy(periods, ([uic, assetType]) => instrumentKey(assetType, uic))
  return new Map([...ofInstrument].map(([key, rows]) => [key, new HeldInTotal(rows, electionsOf)]))
}

class HeldInTotal implements Held {
  readonly #periods: readonly PeriodRow[]
  readonly #elections: ReadonlyMap<string, readonly ElectionRow[]>

  constructor(periods: readonly PeriodRow[], elections: ReadonlyMap<string, readonly ElectionRow[]>) {
    this.#periods = periods
    this.#elections = elections
  }

  /** Only such periods are known. */
  wasHeld(): boolean {
    return true
  }

  applied(event: EventFacts, { today, nowMs }: Moment): Applied | undefined {
    const recordDate = pastRecordDate(event, today)
    const day = recordDate ?? today
    let affected = 0
    const counted: PeriodRow[] = []
    for (const row of this.#periods) {
      const [, , from, until, holdsToday, accounts] = row
      if (isAffected([from, until, holdsToday], recordDate)) affected += accounts
      if (holdsOn(from, until, day)) counted.push(row)
    }
    if (affected === 0) return undefined
    const elections = this.#elections.get(event.eventId) ?? []
    const elected = elections.filter(([, ...period]) => isAffected(period, recordDate))
    const size = sumOf(counted.map(([, , , , , , , size]) => size))
    const sum = sumOf(elected.map(([, , , , amount]) => amount))
    return {
      affected,
      eligible: sumOf(counted.map(([, , , , , , amount]) => amount)),
      size,
      elected: isApplied(event, nowMs) ? Math.max(sum, size) : sum,
    }
  }
}

/** Whether the accounts of a period count for an event: each has exactly one such period if the event applies to it. */
function isAffected(
  [from, until, holdsToday]: Readonly<[...Period, ...unknown[]]>,
  recordDate: string | undefined,
): boolean {
  if (until === 'infinity') return true
  return !holdsToday && recordDate !== undefined && holdsOn(from, until, recordDate)
}
