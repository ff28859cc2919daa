import { type RawBuilder, sql } from 'kysely'
import { didYouMean } from '../../core/text.ts'
import type { Db } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import { wasRejected } from '../../database/staging/rejected.ts'
import { type Filled, hasAny } from '../../database/staging/stages.ts'
import { findCalendarErrors } from './calendar-checks.ts'

const exchangesAfter = sql`(select exchange_id from exchange e
    where not exists (select from staged_exchange s where s.exchange_id = e.exchange_id)
  union all select exchange_id from staged_exchange where not deletion)`

/** Checks the staged records against each other and the tables (§9.2). */
export async function findReferenceErrors(db: Db, filled: Filled): Promise<StagedErrors[]> {
  const hasUics = hasAny(filled, 'staged_instrument', 'staged_option_root')
  const hasExchanges = filled.has('staged_exchange')
  const queries = [
    ...(hasExchanges ? [ambiguousExchanges] : []),
    ...(filled.has('staged_instrument') ? [wrongContinuous, brokenContinuous] : []),
    ...(hasUics ? [sharedUics(await rootsToCompare(db))] : []),
    ...(hasExchanges && (await isExchangeDeleted(db)) ? [usedExchanges] : []),
  ]
  const errors = [...(hasUics ? [await findUnknownExchanges(db)] : []), ...(await findCalendarErrors(db, filled))]
  for (const query of queries) errors.push(await findStagedErrors(db, query))
  return errors
}

/** Requests match ExchangeId in any case. */
const ambiguousExchanges = sql`with known as materialized ${exchangesAfter}
  select max(s.line), 'exchange', max(s.exchange_id), 'ExchangeId',
    'Differs from ' || min(k.exchange_id) || ' only in upper and lower case.', null::bigint
  from staged_exchange s join known k on lower(k.exchange_id) = lower(s.exchange_id) and k.exchange_id <> s.exchange_id
  where not s.deletion group by lower(s.exchange_id)`

async function findUnknownExchanges(db: Db): Promise<StagedErrors> {
  const { listed, total } = await findStagedErrors(db, unknownExchanges)
  if (total === 0) return { listed, total }
  const known = await sql<{ id: string }>`select exchange_id as id from ${exchangesAfter} k`.execute(db)
  const ids = known.rows.map(({ id }) => id)
  const sentenceOf = (id: string) => `There is no exchange ${id}.${didYouMean(ids, id)}`
  return { listed: listed.map((error) => ({ ...error, reason: sentenceOf(error.reason) })), total }
}

/** The unknown id stands for the reason. Many instruments have the same exchanges, so these are checked once. */
const unknownExchanges = sql`with known as materialized ${exchangesAfter},
  used as materialized (select distinct exchange_ids from staged_instrument where not deletion),
  missing as materialized (
    select coalesce(array_agg(id), '{}') as ids from used, unnest(exchange_ids) as id
    where not exists (select from known where exchange_id = id) and not ${wasRejected('exchange', sql`id`)})
  select line, 'instrument', uic::text, 'ExchangeId', id, null::bigint
  from staged_instrument, unnest(exchange_ids) as id
  where not deletion and exchange_ids && (select ids from missing) and id = any((select ids from missing)::text[])
  union all
  select line, 'optionRoot', option_root_id::text, 'ExchangeId', s.exchange_id, null
  from staged_option_root s
  where not deletion and not exists (select from known k where k.exchange_id = s.exchange_id)
    and not ${wasRejected('exchange', sql`s.exchange_id`)}`

/** Only a continuous future has a futures space (§6.4). */
const isContinuous = sql`exists (select from json_array_elements(p.document -> 'As') entry
  where entry ->> 'AssetType' = 'ContractFutures'
    and coalesce(entry ->> 'DisplayHint', p.document ->> 'DisplayHint') = 'Continuous')`

/** The continuous futures that staged futures refer to. */
const wrongContinuous = sql`with parent as materialized (
    select uic, document from staged_instrument where not deletion
      and uic in (select continuous_uic from staged_instrument)
    union all select uic, document from instrument i
    where uic in (select continuous_uic from staged_instrument)
      and not exists (select from staged_instrument s where s.uic = i.uic)),
  checked as materialized (select uic, ${isContinuous} as is_continuous from parent p)
  select s.line, 'instrument', s.uic::text, 'ContinuousFuturesUic', case when j.uic is null
      then 'There is no instrument ' || s.continuous_uic || '.'
      else 'Instrument ' || s.continuous_uic || ' is not a continuous future: a ContractFutures with DisplayHint Continuous.'
    end, null::bigint
  from staged_instrument s left join checked j on j.uic = s.continuous_uic
  where s.continuous_uic is not null and j.is_continuous is not true
    and not ${wasRejected('instrument', sql`s.continuous_uic`)}`

/** The staged instruments that existing futures refer to. */
const brokenContinuous = sql`with parent as materialized (
    select p.line, p.uic, p.deletion, min(i.uic) as future, (array_agg(p.document))[1] as document
    from staged_instrument p join instrument i on i.continuous_uic = p.uic
    where not exists (select from staged_instrument s where s.uic = i.uic) group by p.line, p.uic, p.deletion)
  select line, 'instrument', uic::text, case when deletion then 'delete' else 'DisplayHint' end,
    'Is still the continuous future of instrument ' || future ||
      case when deletion then '.' else ', so it must be a ContractFutures with DisplayHint Continuous.' end, null::bigint
  from parent p where (deletion or not ${isContinuous}) and not ${wasRejected('instrument', sql`uic`)}`

/** Uics that are new to their record: only these can collide with an existing contract. */
const newUics = sql`select uic from staged_instrument s where not deletion
    and not exists (select from instrument i where i.uic = s.uic)
  union all select uic from (
    select option_root_id, unnest(uics) as uic from staged_option_root where not deletion
    except select option_root_id, unnest(uics) from option_root
    where option_root_id in (select option_root_id from staged_option_root)) as fresh (root, uic)`

/** Up to this many Uics are compared with the arrays of contracts directly; more are joined. */
const maxCompared = 20

async function rootsToCompare(db: Db): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ uic: number }>`select uic from (${newUics}) as fresh limit ${maxCompared + 1}`.execute(
    db,
  )
  if (rows.length > maxCompared) return sql`true`
  return rows.length === 0 ? sql`false` : sql`r.uics && ${rows.map(({ uic }) => uic)}::bigint[]`
}

/** A Uic belongs to one instrument or contract. Only contracts can collide: it is the key of instruments. */
const sharedUics = (compared: RawBuilder<unknown>) => sql`with contract as materialized (
    select line, option_root_id, unnest(uics) as uic from staged_option_root where not deletion),
  -- Roots that this import does not touch.
  present as (
    select null::bigint as line, option_root_id, unnest(uics) as uic from option_root r
    where not exists (select from staged_option_root s where s.option_root_id = r.option_root_id)
      and ${compared}),
  twice as (
    select max(line) as line, min(line) as other, uic from contract group by uic having count(distinct line) > 1)
  select c.line, 'optionRoot', c.option_root_id::text, 'Series', 'Uic ' || t.uic || ' is already used, at {line}.', t.other
  from twice t join contract c on c.uic = t.uic and c.line = t.line
  union all
  select greatest(s.line, c.line), case when s.line > c.line then 'instrument' else 'optionRoot' end,
    case when s.line > c.line then s.uic else c.option_root_id end::text,
    case when s.line > c.line then 'Uic' else 'Series' end, 'Uic ' || s.uic || ' is already used, at {line}.',
    least(s.line, c.line)
  from staged_instrument s join contract c on c.uic = s.uic where not s.deletion
  union all
  select c.line, 'optionRoot', c.option_root_id::text, 'Series', 'Uic ' || c.uic || ' belongs to an instrument.', null
  from contract c join instrument i on i.uic = c.uic
  where not exists (select from staged_instrument s where s.uic = c.uic)
  union all
  select s.line, 'instrument', s.uic::text, 'Uic', 'Belongs to an option of root ' || p.option_root_id || '.', null
  from present p join staged_instrument s on s.uic = p.uic where not s.deletion
  union all
  select c.line, 'optionRoot', c.option_root_id::text, 'Series',
    'Uic ' || c.uic || ' belongs to an option of root ' || p.option_root_id || '.', null
  from present p join contract c on c.uic = p.uic`

const usedExchanges = sql`select d.line, 'exchange', d.exchange_id, 'delete', 'Is still the exchange of ' || count(*) ||
    ' instruments or option roots, such as ' || min(u.name) || '.', null::bigint
  from staged_exchange d join (
    select unnest(exchange_ids) as exchange_id, 'instrument ' || uic as name from instrument i
    where not exists (select from staged_instrument s where s.uic = i.uic)
    union all select exchange_id, 'option root ' || option_root_id from option_root r
    where not exists (select from staged_option_root s where s.option_root_id = r.option_root_id)
  ) u on u.exchange_id = d.exchange_id
  where d.deletion and not ${wasRejected('exchange', sql`d.exchange_id`)} group by d.line, d.exchange_id`

async function isExchangeDeleted(db: Db): Promise<boolean> {
  const { rows } = await sql`select from staged_exchange where deletion limit 1`.execute(db)
  return rows.length > 0
}
