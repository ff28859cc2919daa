import { sql } from 'kysely'
import { findStagedFaults, type StagedFaults } from '../database/copy.ts'
import type { Db } from '../database/open.ts'

/** Rows of a table as they will be after the import: those that are not staged, and those that are. */
const exchangesAfter = sql`(select exchange_id from exchange e
    where not exists (select from staged_exchange s where s.exchange_id = e.exchange_id)
  union all select exchange_id from staged_exchange where not deletion)`

/** Reference checks over what is staged and what is there, set by set (contract §9). */
export async function findReferenceFaults(db: Db): Promise<StagedFaults[]> {
  return [
    await findUnknownExchanges(db),
    await findUnknownContinuous(db),
    await findSharedUics(db),
    ...(await findBrokenByDeletion(db)),
  ]
}

function findUnknownExchanges(db: Db): Promise<StagedFaults> {
  return findStagedFaults(
    db,
    sql`with known as materialized ${exchangesAfter}
      select line, 'instrument', uic::text, 'ExchangeId', 'There is no exchange ' || id || '.', null::bigint
      from staged_instrument, unnest(exchange_ids) as id
      where not deletion and not exists (select from known where exchange_id = id)
      union all
      select line, 'optionRoot', option_root_id::text, 'ExchangeId', 'There is no exchange ' || s.exchange_id || '.', null
      from staged_option_root s
      where not deletion and not exists (select from known k where k.exchange_id = s.exchange_id)`,
  )
}

function findUnknownContinuous(db: Db): Promise<StagedFaults> {
  return findStagedFaults(
    db,
    sql`select s.line, 'instrument', s.uic::text, 'ContinuousFuturesUic',
        'There is no instrument ' || s.continuous_uic || '.', null::bigint
      from staged_instrument s left join staged_instrument p on p.uic = s.continuous_uic
      where s.continuous_uic is not null and (p.deletion or
        (p.uic is null and not exists (select from instrument i where i.uic = s.continuous_uic)))`,
  )
}

/** A Uic is one instrument's or one contract's. Only contracts can clash with others: instruments have it as their key. */
function findSharedUics(db: Db): Promise<StagedFaults> {
  return findStagedFaults(
    db,
    sql`with contract as materialized (
        select line, option_root_id, unnest(uics) as uic from staged_option_root where not deletion),
      -- What stays as it is, and so was there before all that is staged.
      present as (
        select null::bigint as line, option_root_id, unnest(uics) as uic from option_root r
        where not exists (select from staged_option_root s where s.option_root_id = r.option_root_id)
          and exists (select from staged_instrument where not deletion union all select from contract)),
      twice as (
        select max(line) as line, min(line) as other, uic from contract group by uic having count(distinct line) > 1)
      select c.line, 'optionRoot', c.option_root_id::text, 'Series', 'Uic ' || t.uic || ' is used already, at {line}.', t.other
      from twice t join contract c on c.uic = t.uic and c.line = t.line
      union all
      select greatest(s.line, c.line), case when s.line > c.line then 'instrument' else 'optionRoot' end,
        case when s.line > c.line then s.uic else c.option_root_id end::text,
        case when s.line > c.line then 'Uic' else 'Series' end, 'Uic ' || s.uic || ' is used already, at {line}.',
        least(s.line, c.line)
      from staged_instrument s join contract c on c.uic = s.uic where not s.deletion
      union all
      select c.line, 'optionRoot', c.option_root_id::text, 'Series', 'Uic ' || c.uic || ' is that of an instrument.', null
      from contract c join instrument i on i.uic = c.uic
      where not exists (select from staged_instrument s where s.uic = c.uic)
      union all
      select s.line, 'instrument', s.uic::text, 'Uic', 'Is that of an option of root ' || p.option_root_id || '.', null
      from present p join staged_instrument s on s.uic = p.uic where not s.deletion
      union all
      select c.line, 'optionRoot', c.option_root_id::text, 'Series',
        'Uic ' || c.uic || ' is that of an option of root ' || p.option_root_id || '.', null
      from present p join contract c on c.uic = p.uic`,
  )
}

/** What is deleted must not be missed by what stays. Looked for only when something is deleted. */
async function findBrokenByDeletion(db: Db): Promise<StagedFaults[]> {
  const { rows } = await sql<{ exchanges: boolean; instruments: boolean }>`
    select exists (select from staged_exchange where deletion) as exchanges,
      exists (select from staged_instrument where deletion) as instruments`.execute(db)
  const faults: StagedFaults[] = []
  if (rows[0]?.exchanges)
    faults.push(
      await findStagedFaults(
        db,
        sql`select d.line, 'exchange', d.exchange_id, 'delete', 'Is still the exchange of ' || count(*) ||
            ' instruments or option roots, such as ' || min(u.name) || '.', null::bigint
          from staged_exchange d join (
            select unnest(exchange_ids) as exchange_id, 'instrument ' || uic as name from instrument i
            where not exists (select from staged_instrument s where s.uic = i.uic)
            union all select exchange_id, 'option root ' || option_root_id from option_root r
            where not exists (select from staged_option_root s where s.option_root_id = r.option_root_id)
          ) u on u.exchange_id = d.exchange_id
          where d.deletion group by d.line, d.exchange_id`,
      ),
    )
  if (rows[0]?.instruments)
    faults.push(
      await findStagedFaults(
        db,
        sql`select d.line, 'instrument', d.uic::text, 'delete',
            'Is still the continuous parent of instrument ' || min(i.uic) || '.', null::bigint
          from instrument i join staged_instrument d on d.uic = (i.document ->> 'ContinuousFuturesUic')::bigint
          where d.deletion and i.document::text like '%"ContinuousFuturesUic"%'
            and not exists (select from staged_instrument s where s.uic = i.uic)
          group by d.line, d.uic`,
      ),
    )
  return faults
}
