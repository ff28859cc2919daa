import { type RawBuilder, sql } from 'kysely'
import { NotedKeys } from '../../database/noted-keys.ts'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
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
  clientColumns,
  isSelected,
  type Relation,
  relationOf,
  type Scope,
  type ScopeFound,
  type ScopeValues,
  scopeColumns,
  scopeTables,
  scopeValues,
} from './scope.ts'

/** What the accounts of a scope hold and have elected. The revisions are those of the same snapshot. */
export type ScopeHoldings = Readonly<{
  found: ScopeFound
  holdings: Holdings
  revisions: Readonly<{ events: number; reference: number }>
  /** The number of the last election that this database has seen. */
  lastElection: number
}>

/** Which elections are read: those of events on or after a day. Older events are never listed. */
type Since = Readonly<{ since: string }>
type OneEvent = Readonly<{ eventId: string; uic: number; assetType: string }>
type Values = ScopeValues & Partial<Since> & Partial<OneEvent> & Readonly<{ today: string }>
type Found = ScopeFound & Readonly<{ events_revision: number; reference_revision: number; last_election: number }>
type AccountsFound = Found & Readonly<{ accounts: string | null }>
type TotalsFound = Found & Readonly<{ periods: string | null; elections: string | null }>

/** All holdings of a scope, or only those of one event. One statement; the totals of many accounts are made by PostgreSQL. */
export async function readHoldings(
  db: Db,
  scope: Scope,
  today: string,
  only: Since | OneEvent,
): Promise<ScopeHoldings> {
  const kind = 'since' in only ? 'all' : 'ofEvent'
  const relation = relationOf(scope)
  const values = { ...scopeValues(scope), today, ...only }
  if (scope.includesSubClients) {
    const [row] = await totals[relation][kind](db, values)
    const { periods, elections, ...found } = row as TotalsFound
    return { ...foundIn(found), holdings: totalHoldings(parsed<PeriodRow>(periods), parsed<ElectionRow>(elections)) }
  }
  const isUsual = relation === 'whole' && 'since' in only
  const row = isUsual
    ? await readWholeClient(db, { ...values, ...only })
    : ((await accounts[relation][kind](db, values))[0] as AccountsFound)
  const { accounts: rows, ...found } = row
  return { ...foundIn(found), holdings: accountHoldings(parsed<AccountRow>(rows)) }
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

const revisions = sql`(select revision from event_data) as events_revision,
  (select revision from reference_data) as reference_revision, (select last from election_count) as last_election`

type Kind = 'all' | 'ofEvent'

/** Values, or the columns that have them. */
type SqlOf<All> = { readonly [Name in keyof All]?: All[Name] | RawBuilder<unknown> }

/** Conditions on positions `p`, elections `h` and standing instructions `s`. The day of an event is looked up for each election: a join could be
 *  planned as a scan of all events. */
const positionsOf: Record<Kind, (values: SqlOf<Values>) => RawBuilder<unknown>> = {
  all: () => sql`true`,
  ofEvent: ({ uic, assetType }) => sql`p.uic = ${uic} and p.asset_type = ${assetType}`,
}
const electionsOf: Record<Kind, (values: SqlOf<Values>) => RawBuilder<unknown>> = {
  all: ({ since }) => sql`(select key_date from event e where e.event_id = h.event_id) >= ${since}::date`,
  ofEvent: ({ eventId }) => sql`h.event_id = ${eventId}`,
}

const standingOf: Record<Kind, (values: SqlOf<Values>) => RawBuilder<unknown>> = {
  all: ({ since }) => sql`(s.ended_at is null or s.ended_at >= ${since}::date)`,
  ofEvent: ({ uic, assetType }) => sql`s.uic = ${uic} and s.asset_type = ${assetType}`,
}

/** The accounts by id, each with its positions, elections and standing instructions. */
const accountsColumn = (values: SqlOf<Values>, kind: Kind, isSelectedAccount: RawBuilder<unknown>) => sql`(
      select json_agg(json_build_array(a.account_key, a.account_id, (
          select json_agg(json_build_array(p.uic, p.asset_type, p.held_from, p.held_until, p.amount))
          from position p where p.account_key = a.account_key and ${positionsOf[kind](values)}
        ), (
          select json_agg(json_build_array(h.event_id, h.elected_amount, h.document))
          from event_holding h where h.account_key = a.account_key and ${electionsOf[kind](values)}
        ), (
          select json_agg(json_build_array(s.uic, s.asset_type, s.option_type,
            floor(extract(epoch from s.created_at) * 1000), floor(extract(epoch from s.ended_at) * 1000)))
          from standing_instruction s where s.account_key = a.account_key and ${standingOf[kind](values)}
        )) order by a.account_id collate "C")::text
      from account a where a.client_key = ${values.clientKey} and ${isSelectedAccount}) as accounts`

const accountsStatement = (relation: Relation, kind: Kind) =>
  prepared(
    (_db, values: Values) => sql<AccountsFound>`
    select ${scopeColumns(values, relation)}, ${revisions}, ${accountsColumn(values, kind, isSelected(values, relation))}
    from ${scopeTables(values)}`,
  )

const variants = <Statement>(declare: (relation: Relation, kind: Kind) => Statement) => ({
  whole: { all: declare('whole', 'all'), ofEvent: declare('whole', 'ofEvent') },
  own: { all: declare('own', 'all'), ofEvent: declare('own', 'ofEvent') },
  below: { all: declare('below', 'all'), ofEvent: declare('below', 'ofEvent') },
})

const accounts = variants(accountsStatement)

/** The same as `accounts.whole.all` for several clients, each looked up by its key: a join could be planned as a scan. */
const wholeClients = prepared((_db, { clientKeys, since }: { clientKeys: string[]; since: string[] }) => {
  const values = { clientKey: sql.ref('k.client_key'), since: sql.ref('k.since') }
  return sql<AccountsFound>`
    select ${clientColumns}, ${revisions}, ${accountsColumn(values, 'all', sql`true`)}
    from unnest(${clientKeys}::text[], ${since}::date[]) with ordinality k(client_key, since, at)
    left join lateral (select * from client where client_key = k.client_key offset 0) c on true
    left join lateral (select client_id from client where client_key = c.owner_client_key offset 0) o on true
    order by k.at`
})

/** The period of a position `p` (rules/holdings.ts), as columns. */
const period = ({ today }: Values) => sql`p.held_from,
  case when p.held_until > ${today}::date then 'infinity' else p.held_until end as held_until,
  p.held_until > ${today}::date or exists (
    select from position later where later.account_key = p.account_key and later.uic = p.uic
      and later.asset_type = p.asset_type and later.held_from <= ${today}::date and later.held_until > ${today}::date
      and later.amount <> 0) as holds_today`

/** Laterals with `offset 0` force a lookup per account, so that the cost depends on the accounts and not on the tables. */
const totalsStatement = (relation: Relation, kind: Kind) =>
  prepared(
    (_db, values: Values) => sql<TotalsFound>`
    with recursive clients as (
      select client_key from client where client_key = ${values.clientKey}
      union select c.client_key from clients join client c on c.owner_client_key = clients.client_key
    ), accounts as materialized (
      select a.account_key from clients cross join lateral (
        select account_key, account_group_key from account where client_key = clients.client_key offset 0) a
      where ${isSelected(values, relation)}
    ), periods as (
      select p.uic, p.asset_type, ${period(values)}, count(*) as accounts, sum(p.amount) as amount, sum(abs(p.amount)) as size
      from accounts cross join lateral (
        select * from position p where p.account_key = accounts.account_key and ${positionsOf[kind](values)}
          and p.amount <> 0 and p.held_from <= ${values.today}::date offset 0) p
      group by 1, 2, 3, 4, 5
    ), elections as (
      select h.event_id, ${period(values)}, sum(abs(h.elected_amount)) as elected
      from accounts cross join lateral (
        select event_id, elected_amount from event_holding h
        where h.account_key = accounts.account_key and ${electionsOf[kind](values)} offset 0) h
      cross join lateral (select uic, asset_type from event where event_id = h.event_id offset 0) e
      cross join lateral (
        select * from position p where p.account_key = accounts.account_key and p.uic = e.uic
          and p.asset_type = e.asset_type and p.amount <> 0 and p.held_from <= ${values.today}::date offset 0) p
      group by 1, 2, 3, 4
    )
    select ${scopeColumns(values, relation)}, ${revisions}, (
        select json_agg(json_build_array(uic, asset_type, held_from, held_until, holds_today, accounts, amount, size))::text
        from periods) as periods, (
        select json_agg(json_build_array(event_id, held_from, held_until, holds_today, elected))::text
        from elections) as elections
    from ${scopeTables(values)}`,
  )

const totals = variants(totalsStatement)
