import { sql } from 'kysely'
import { accountsAfter } from '../../access/store/import-checks.ts'
import type { Db, Trx } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import { wasRejected } from '../../database/staging/rejected.ts'
import { type Filled, hasAny } from '../../database/staging/stages.ts'
import { mayEndContracts, unfoldHoldings } from './import.ts'

/** The instruments and option roots that will exist after the import. */
const instrumentsAfter = sql`(select uic, asset_types from instrument t
    where not exists (select from staged_instrument s where s.uic = t.uic)
  union all select uic, asset_types from staged_instrument where not deletion)`
const rootsAfter = sql`(select option_root_id, uics, document from option_root t
    where not exists (select from staged_option_root s where s.option_root_id = t.option_root_id)
  union all select option_root_id, uics, document from staged_option_root where not deletion)`

/** Checks the references between staged and existing records (§9.2). */
export async function findEventErrors(trx: Trx, filled: Filled): Promise<StagedErrors[]> {
  const errors: StagedErrors[] = []
  if (hasAny(filled, 'staged_position', 'staged_event')) {
    await unfoldHoldings(trx)
    errors.push(await findUnknownAccounts(trx), await findUnknownInstruments(trx))
  }
  if (mayEndContracts(filled)) errors.push(...(await findInstrumentsInUse(trx)))
  return errors
}

const positionKey = sql`concat_ws(' ', s.account_key, s.uic, s.asset_type, s.held_from)`

function findUnknownAccounts(db: Db): Promise<StagedErrors> {
  const reason = sql`s.account_key || ' is not an account. Import it in the same run, or remove this record.'`
  return findStagedErrors(
    db,
    sql`with named as (
        select account_key from staged_position where not deletion union select account_key from staged_holding),
      missing as materialized (
        select account_key from named n where not exists (select from ${accountsAfter} k where k.account_key = n.account_key)
          and not ${wasRejected('account', sql`n.account_key`)})
      select s.line, 'position', ${positionKey}, 'AccountKey', ${reason}, null::bigint
      from staged_position s join missing using (account_key) where not s.deletion
      union all
      select s.line, 'event', s.event_id, 'Holdings[' || s.ordinal - 1 || '].AccountKey', ${reason}, null
      from staged_holding s join missing using (account_key)`,
  )
}

/** Option contracts have the asset type of their root. They are many, so they are searched last. */
function findUnknownInstruments(db: Db): Promise<StagedErrors> {
  return findStagedErrors(
    db,
    sql`with named as (
        select uic, asset_type from staged_position where not deletion
        union select uic, asset_type from staged_event where not deletion),
      wanted as materialized (
        select uic, asset_type from named n
        where not exists (select from ${instrumentsAfter} k where k.uic = n.uic and n.asset_type = any(k.asset_types))
          and not ${wasRejected('instrument', sql`n.uic`)}
          and not exists (select from staged_rejected where kind = 'optionRoot')),
      contract as materialized (
        select option_root_id, c.uic from ${rootsAfter} r cross join lateral unnest(r.uics) as c (uic)
        where c.uic in (select uic from wanted)),
      typed as materialized (
        select option_root_id, document ->> 'AssetType' as asset_type from ${rootsAfter} r
        where option_root_id in (select option_root_id from contract)),
      missing as materialized (
        select uic, asset_type, coalesce(
            (select ' It is offered as ' || array_to_string(asset_types, ', ') || '.' from ${instrumentsAfter} k
              where k.uic = w.uic limit 1),
            (select ' It is offered as ' || t.asset_type || '.' from contract c join typed t using (option_root_id)
              where c.uic = w.uic limit 1),
            ' Import it in the same run, or remove this record.') as hint
        from wanted w
        where not exists (select from contract c join typed t using (option_root_id)
          where c.uic = w.uic and t.asset_type = w.asset_type))
      select s.line, 'position', ${positionKey}, 'Uic',
        'There is no instrument ' || uic || ' of type ' || asset_type || '.' || hint, null::bigint
      from staged_position s join missing using (uic, asset_type) where not s.deletion
      union all
      select s.line, 'event', s.event_id, 'Uic',
        'There is no instrument ' || uic || ' of type ' || asset_type || '.' || hint, null
      from staged_event s join missing using (uic, asset_type) where not s.deletion`,
  )
}

/** What will no longer be offered: instruments, asset types and contracts. A contract that is not offered in any type has
 *  ended. The document of a root is large, so it is parsed only if it differs. */
const gone = sql`with old as materialized (
    select 'instrument' as kind, uic::text as key, s.line, s.deletion, array[uic] as uics, t.asset_types
    from instrument t join staged_instrument s using (uic)
    where (s.deletion or not t.asset_types <@ s.asset_types) and not ${wasRejected('instrument', sql`uic`)}
    union all
    select 'optionRoot', option_root_id::text, s.line, s.deletion, t.uics, array[t.document ->> 'AssetType']
    from option_root t join staged_option_root s using (option_root_id)
    where (s.deletion or (t.document::text <> s.document::text
        and (t.uics <> s.uics or t.document ->> 'AssetType' <> s.document ->> 'AssetType')))
      and not ${wasRejected('optionRoot', sql`option_root_id`)}),
  new as materialized (
    select array[uic] as uics, asset_types from staged_instrument where not deletion
    union all select uics, array[document ->> 'AssetType'] from staged_option_root where not deletion),
  offered as materialized (select uic, asset_type from new, unnest(uics) as uic, unnest(asset_types) as asset_type)
  select kind, key, line, deletion, uic, asset_type,
    kind = 'optionRoot' and not exists (select from offered o where o.uic = uic.uic) as has_ended
  from old, unnest(uics) as uic, unnest(asset_types) as asset_type
  where not exists (select from offered o where o.uic = uic.uic and o.asset_type = asset_type.asset_type)`

/** A deleted instrument must not have positions or events left; those of ended contracts go with them (`removeEnded`). */
async function findInstrumentsInUse(trx: Trx): Promise<StagedErrors[]> {
  await sql`drop table if exists gone_instrument`.execute(trx)
  await sql`create temp table gone_instrument on commit drop as ${gone}`.execute(trx)
  const { rows } = await sql`select from gone_instrument where not has_ended limit 1`.execute(trx)
  if (rows.length === 0) return []
  const remaining = sql`select g.line, g.kind, g.key,
      case when g.deletion then '' when g.kind = 'instrument' then 'As' else 'AssetType' end,
      'Instrument ' || uic || ' as ' || asset_type || ' still has ' || count(*) || ' positions or events, such as ' || min(u.name) || '. Delete them in the same run, or keep the instrument.', null::bigint
    from gone_instrument g join (
      select uic, asset_type, 'the position of account ' || account_key as name from position t
      where not exists (select from staged_position s where s.account_key = t.account_key and s.uic = t.uic
          and s.asset_type = t.asset_type and coalesce(s.held_from, '-infinity') = t.held_from)
        and exists (select from ${accountsAfter} k where k.account_key = t.account_key)
      union all select uic, asset_type, 'event ' || event_id from event t
      where not exists (select from staged_event s where s.event_id = t.event_id)) u using (uic, asset_type)
    where not g.has_ended
    group by g.line, g.kind, g.key, g.deletion, uic, asset_type`
  return [await findStagedErrors(trx, remaining)]
}
