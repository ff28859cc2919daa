import { sql } from 'kysely'
import type { Db } from '../../../database/open.ts'

type RightVersion = Readonly<{ seq: number; run: number; part: string; previous: string | null }>

/** What became of the rights of a client from a version on, latest first, and its rights now, by part. */
export async function readRights(db: Db, clientKey: string, from: number) {
  const versions = await sql<RightVersion>`
    select seq, run, part, previous::text as previous from record_version
    where kind = 'accessRight' and id = ${clientKey} and seq >= ${from} order by seq desc`.execute(db)
  const present = await sql<{ part: string; row: string }>`
    select md5(row::text) as part, row::text as row from (
      select to_jsonb(r) - 'access_right_id' as row from access_right r where client_key = ${clientKey}) found`.execute(
    db,
  )
  return { versions: versions.rows, present: new Map(present.rows.map(({ part, row }) => [part, row])) }
}

export type Listed = Readonly<{ kind: string; id: string; record: string }>

/** The instruments and option roots with one of these asset types at one of these exchanges, or at any, and all exchanges: at
 *  most `limit` of each. The record has only what decides on their visibility. */
export async function readListed(
  db: Db,
  {
    kinds,
    types,
    exchanges,
  }: { kinds: readonly string[]; types: readonly string[]; exchanges: 'all' | readonly string[] },
  limit: number,
): Promise<Listed[]> {
  const ids = exchanges === 'all' ? null : [...exchanges]
  const { rows } = await sql<Listed>`
    (select 'instrument' as kind, uic::text as id, json_build_object('ExchangeId', document -> 'ExchangeId',
        'As', (select json_agg(json_build_object('AssetType', e -> 'AssetType', 'ExchangeId', e -> 'ExchangeId'))
          from json_array_elements(document -> 'As') e))::text as record
      from instrument where ${kinds.includes('instrument')} and asset_types && ${[...types]}::text[]
        and (${ids}::text[] is null or exchange_ids && ${ids}) limit ${limit})
    union all
    (select 'optionRoot', option_root_id::text,
        json_build_object('ExchangeId', exchange_id, 'AssetType', document -> 'AssetType')::text
      from option_root where ${kinds.includes('optionRoot')} and (${ids}::text[] is null or exchange_id = any(${ids}))
        and document ->> 'AssetType' = any(${[...types]}) limit ${limit})
    union all
    (select 'exchange', exchange_id, '{}' from exchange
      where ${kinds.includes('exchange')} and (${ids}::text[] is null or exchange_id = any(${ids})) limit ${limit})`.execute(
    db,
  )
  return rows
}
