import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../database/open.ts'
import { findStagedErrors, type Stage, type StagedErrors } from '../../database/staging/copy.ts'
import type { Kind } from '../kind.ts'

const otherTables = new Map([
  ['staged_user', 'service_user'],
  ['staged_calendar', 'trading_calendar'],
])
const tableOf = ({ table }: Stage): string => otherTables.get(table) ?? table.replace(/^staged_/, '')

/** Deletions of one kind: how many records exist, how many do not, and the first of the latter. */
export type Deletions = Readonly<{ kind: string; present: number; absent: number; named: readonly string[] }>

/** Must run before anything is applied, because removing a record may remove others. */
export async function findDeletions(trx: Trx, { name, key, stage }: Kind, max: number): Promise<Deletions> {
  const none = { kind: name, present: 0, absent: 0, named: [] }
  // Access rights have no key.
  if (key.length === 0) return none
  const { rows } = await sql<Omit<Deletions, 'kind'>>`
    select count(*) filter (where is_there) as present, count(*) filter (where not is_there) as absent,
      coalesce((array_agg(key order by line) filter (where not is_there))[1:${sql.lit(max)}], '{}') as named
    from (select line, ${keyText(stage, key)} as key, ${exists(stage, key)} as is_there
      from ${sql.table(stage.table)} s where deletion) as found`.execute(trx)
  return { ...none, ...rows[0] }
}

const keyColumns = ({ columns }: Stage, key: readonly string[]) => Object.entries(columns).slice(0, key.length)

/** The key of a staged record `s` in messages. */
const keyText = (stage: Stage, key: readonly string[]) =>
  sql`concat_ws(' ', ${sql.join(keyColumns(stage, key).map(([column]) => sql`s.${sql.ref(column)}`))})`

/** Whether the table has a record with the key of the staged record `s`. */
function exists(stage: Stage, key: readonly string[]): RawBuilder<unknown> {
  const columns = keyColumns(stage, key)
  // A missing day means since ever.
  const given = columns.map(([column, type]) =>
    type === 'date' ? sql`coalesce(s.${sql.ref(column)}, '-infinity')` : sql`s.${sql.ref(column)}`,
  )
  return sql`exists (select from ${sql.table(tableOf(stage))} t
    where (${sql.join(columns.map(([column]) => sql`t.${sql.ref(column)}`))}) = (${sql.join(given)}))`
}

/** Staged records that exist already, for what may only bring new ones. */
export async function findPresent(trx: Trx, { name, key, stage }: Kind): Promise<StagedErrors[]> {
  const reason = 'Exists already.'
  const table = sql.table(stage.table)
  if (key.length > 0)
    return [
      await findStagedErrors(
        trx,
        sql`select line, ${name}::text, ${keyText(stage, key)}, '', ${reason}::text, null::bigint
          from ${table} s where not deletion and ${exists(stage, key)}`,
      ),
      ...(name === 'client' ? [await findStagedErrors(trx, presentGroups)] : []),
    ]
  return [await findStagedErrors(trx, presentRights)]
}

const presentGroups = sql`select s.line, 'client', s.client_key, 'AccountGroups',
    'Account group ' || g.account_group_key || ' exists already.', null::bigint
  from staged_client s join account_group g on g.account_group_key = any(s.account_group_keys) where not s.deletion`

const presentRights = sql`select s.line, 'accessRight', s.client_key, '', 'Exists already.', null::bigint
  from staged_access_right s join access_right r on r.client_key = s.client_key
    and r.account_key is not distinct from s.account_key and r.user_key is not distinct from s.user_key
    and r.level = s.document ->> 'Level'
    and to_jsonb(r.asset_types) is not distinct from (s.document -> 'AssetTypes')::jsonb
    and to_jsonb(r.exchange_ids) is not distinct from (s.document -> 'ExchangeIds')::jsonb
  where not s.deletion`
