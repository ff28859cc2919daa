import type { Moment } from '../../database/history/moments.ts'
import { NotedKeys } from '../../database/noted-keys.ts'
import type { Db } from '../../database/open.ts'
import { SharedReads } from '../../database/shared-reads.ts'
import {
  type AccountRow,
  accountHoldings,
  type ElectionRow,
  type Holdings,
  type PeriodRow,
  totalHoldings,
} from '../rules/holdings.ts'
import {
  type AccountsFound,
  accounts,
  type Found,
  type OneEvent,
  pastAccounts,
  pastTotals,
  type Since,
  type TotalsFound,
  totals,
  type Values,
  wholeClients,
} from './holding-statements.ts'
import { relationOf, type Scope, type ScopeFound, scopeValues } from './scope.ts'

/** What the accounts of a scope hold and have elected. The revisions are those of the same snapshot. */
export type ScopeHoldings = Readonly<{
  found: ScopeFound
  holdings: Holdings
  revisions: Readonly<{ events: number; reference: number }>
  /** The number of the last election that this database has seen. */
  lastElection: number
}>

/** All holdings of a scope, or only those of one event; of now or of a moment. One statement; the totals of many accounts are
 *  made by PostgreSQL. */
export async function readHoldings(
  db: Db,
  scope: Scope,
  today: string,
  only: Since | OneEvent,
  asOf?: Moment,
): Promise<ScopeHoldings> {
  const kind = 'since' in only ? 'all' : 'ofEvent'
  const relation = relationOf(scope)
  const values = { ...scopeValues(scope), today, ...only }
  if (scope.includesSubClients) {
    const [row] = asOf
      ? (await pastTotals(relation, kind, values, asOf).execute(db)).rows
      : await totals[relation][kind](db, values)
    const { periods, elections, ...found } = row as TotalsFound
    return { ...foundIn(found), holdings: totalHoldings(parsed<PeriodRow>(periods), parsed<ElectionRow>(elections)) }
  }
  const { accounts: rows, ...found } = await readAccounts()
  return { ...foundIn(found), holdings: accountHoldings(parsed<AccountRow>(rows)) }

  async function readAccounts(): Promise<AccountsFound> {
    if (asOf) return (await pastAccounts(relation, kind, values, asOf).execute(db)).rows[0] as AccountsFound
    if (relation === 'whole' && 'since' in only) return readWholeClient(db, { ...values, ...only })
    return (await accounts[relation][kind](db, values))[0] as AccountsFound
  }
}

type WholeClient = Values & Since

/** By database, or by transaction. */
const sharedReads = new WeakMap<Db, SharedReads<WholeClient, AccountsFound>>()

/** The clients whose holdings are large or slow to read. They are read alone, so that no one waits for them. */
const largeClients = new NotedKeys(10_000)
const largeCharacters = 100_000
const slowMs = 1_000

/** All holdings of a client. Those of several clients are read together. */
async function readWholeClient(db: Db, values: WholeClient): Promise<AccountsFound> {
  const alone = (value: WholeClient) => readAlone(db, value)
  if (largeClients.has(values.clientKey)) return alone(values)
  const together = (batch: WholeClient[]) => readTogether(db, batch)
  return sharedReads.getOrInsertComputed(db, () => new SharedReads({ alone, together })).read(values)
}

/** A failure counts as slow until the next success: the time of the statement may have run out. */
async function readAlone(db: Db, values: WholeClient): Promise<AccountsFound> {
  const start = performance.now()
  let isQuick = false
  try {
    const [row] = await accounts.whole.all(db, values)
    const found = row as AccountsFound
    isQuick = !isLarge(found) && performance.now() - start <= slowMs
    return found
  } finally {
    largeClients.note(values.clientKey, !isQuick)
  }
}

async function readTogether(db: Db, batch: readonly WholeClient[]): Promise<AccountsFound[]> {
  const start = performance.now()
  const clientKeys = batch.map(({ clientKey }) => clientKey)
  const found = await wholeClients(db, { clientKeys, since: batch.map(({ since }) => since) })
  // It is not known which one is slow. Alone, the others prove to be quick.
  const isSlow = performance.now() - start > slowMs
  for (const [index, row] of found.entries())
    if (isSlow || isLarge(row)) largeClients.note(clientKeys[index] as string, true)
  return found
}

const isLarge = ({ accounts }: AccountsFound): boolean => (accounts?.length ?? 0) > largeCharacters

const parsed = <Row>(text: string | null): Row[] => (text === null ? [] : (JSON.parse(text) as Row[]))

const foundIn = ({ events_revision: events, reference_revision: reference, last_election, ...found }: Found) => ({
  found,
  revisions: { events, reference },
  lastElection: last_election,
})
