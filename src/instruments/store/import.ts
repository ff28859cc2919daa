import { sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Trx } from '../../database/open.ts'
import type { Stage } from '../../database/staging/copy.ts'
import type { Filled } from '../../database/staging/stages.ts'

/** A stage has the columns of its table, the key first, so one merge serves all. */
export const calendarStage = { table: 'staged_calendar', columns: { calendar_id: 'text', document: 'json' } }

export const exchangeStage = {
  table: 'staged_exchange',
  columns: { exchange_id: 'text', calendar_id: 'text', document: 'json' },
}

export const instrumentStage = {
  table: 'staged_instrument',
  columns: {
    uic: 'bigint',
    asset_types: 'text[]',
    exchange_ids: 'text[]',
    symbol: 'text',
    description: 'text',
    isin: 'text',
    identifiers: 'text[]',
    continuous_uic: 'bigint',
    calendar_id: 'text',
    document: 'json',
  },
}

export const optionRootStage = {
  table: 'staged_option_root',
  columns: { option_root_id: 'bigint', exchange_id: 'text', uics: 'bigint[]', calendar_id: 'text', document: 'json' },
}

export type Merged = { kind: string; added: number; changed: number; unchanged: number; removed: number }
type Merge = { kind: string; stage: Stage; table: string }

const merges: Merge[] = [
  { kind: 'calendar', stage: calendarStage, table: 'trading_calendar' },
  { kind: 'exchange', stage: exchangeStage, table: 'exchange' },
  { kind: 'instrument', stage: instrumentStage, table: 'instrument' },
  { kind: 'optionRoot', stage: optionRootStage, table: 'option_root' },
]

const nothing = { added: 0, changed: 0, unchanged: 0, removed: 0 }

/** Merges the staged rows. Changed rows get the next revision; without changes the revision stays. */
export async function mergeReference(trx: Trx, filled: Filled): Promise<{ revision: number; merged: Merged[] }> {
  const { revision: before } = await trx
    .selectFrom('reference_data')
    .select('revision')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const merged: Merged[] = []
  for (const merge of merges) {
    const isFilled = filled.has(merge.stage.table)
    merged.push(isFilled ? await mergeKind(trx, merge, before + 1) : { kind: merge.kind, ...nothing })
  }
  if (!merged.some(({ added, changed, removed }) => added + changed + removed > 0)) return { revision: before, merged }
  const revision = before + 1
  await trx.updateTable('reference_data').set({ revision }).execute()
  await announce(trx, [{ topic: 'reference-data', key: String(revision) }])
  return { revision, merged }
}

async function mergeKind(trx: Trx, { kind, stage, table }: Merge, revision: number): Promise<Merged> {
  const columns = Object.keys(stage.columns)
  const [target, staged, key] = [sql.table(table), sql.table(stage.table), sql.ref(columns[0] ?? '')]
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(columns.map((column) => sql.ref(`s.${column}`)))
  const { rows } = await sql<{ count: number }>`select count(*) from ${staged} where not deletion`.execute(trx)
  const stagedCount = rows[0]?.count ?? 0
  const changed = await sql`update ${target} t set (${names}, revision) = row (${values}, ${revision}::bigint)
    from ${staged} s where t.${key} = s.${key} and not s.deletion and t.document::text <> s.document::text`.execute(trx)
  const added =
    await sql`insert into ${target} (${names}, revision) select ${values}, ${revision}::bigint from ${staged} s
    where not s.deletion and not exists (select from ${target} t where t.${key} = s.${key})`.execute(trx)
  const removed = await sql`with gone as (
      delete from ${target} t using ${staged} s where t.${key} = s.${key} and s.deletion returning t.${key}::text as key)
    insert into reference_deletion (kind, key, revision) select ${kind}, key, ${revision}::bigint from gone
    on conflict (kind, key) do update set revision = excluded.revision`.execute(trx)
  // A record that was added again is no longer removed.
  await sql`delete from reference_deletion d using ${staged} s
    where d.kind = ${kind} and d.key = s.${key}::text and not s.deletion`.execute(trx)
  const counts = { added: affected(added), changed: affected(changed), removed: affected(removed) }
  return { kind, ...counts, unchanged: stagedCount - counts.added - counts.changed }
}

const affected = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n)
