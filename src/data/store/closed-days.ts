import { sql } from 'kysely'
import { epochDay } from '../../core/time/days.ts'
import type { ClosedDays } from '../../core/time/relative-days.ts'
import type { Db } from '../../database/open.ts'

/** The holidays of every calendar and exchange, by id. An exchange with a calendar has those of the calendar. */
export async function readClosedDays(db: Db): Promise<Map<string, ClosedDays>> {
  const { rows } = await sql<{ id: string; dates: string[] }>`
    select id, array(select day ->> 'Date' from json_array_elements(document -> 'Holidays') as day) as dates from (
      select calendar_id as id, document from trading_calendar
      union all select e.exchange_id, coalesce(c.document, e.document)
      from exchange e left join trading_calendar c using (calendar_id)) known`.execute(db)
  return new Map(rows.map(({ id, dates }) => [id, new Set(dates.map(epochDay))]))
}
