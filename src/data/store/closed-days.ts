import { sql } from 'kysely'
import { epochDay } from '../../core/time/days.ts'
import type { ClosedDays } from '../../core/time/relative-days.ts'
import type { Db } from '../../database/open.ts'

export async function readClosedDays(db: Db): Promise<Map<string, ClosedDays>> {
  const { rows } = await sql<{ exchange_id: string; dates: string[] }>`
    select exchange_id, array(select day ->> 'Date' from json_array_elements(document -> 'Holidays') as day) as dates
    from exchange`.execute(db)
  return new Map(rows.map(({ exchange_id, dates }) => [exchange_id, new Set(dates.map(epochDay))]))
}
