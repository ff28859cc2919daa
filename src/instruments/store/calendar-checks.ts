import { sql } from 'kysely'
import { didYouMean } from '../../core/text.ts'
import type { Db } from '../../database/open.ts'
import { findStagedErrors, type StagedErrors } from '../../database/staging/copy.ts'
import { wasRejected } from '../../database/staging/rejected.ts'
import { type Filled, hasAny } from '../../database/staging/stages.ts'

const calendarsAfter = sql`(select null::bigint as line, calendar_id, document from trading_calendar c
    where not exists (select from staged_calendar s where s.calendar_id = c.calendar_id)
  union all select line, calendar_id, document from staged_calendar where not deletion)`

/** Checks the calendars that staged records name, and the staged calendars (§9.2). */
export async function findCalendarErrors(db: Db, filled: Filled): Promise<StagedErrors[]> {
  const errors: StagedErrors[] = []
  if (hasAny(filled, 'staged_exchange', 'staged_instrument', 'staged_option_root'))
    errors.push(await findUnknownCalendars(db))
  if (filled.has('staged_calendar'))
    for (const query of [sharedCurrencies, usedCalendars]) errors.push(await findStagedErrors(db, query))
  return errors
}

async function findUnknownCalendars(db: Db): Promise<StagedErrors> {
  const { listed, total } = await findStagedErrors(db, unknownCalendars)
  if (total === 0) return { listed, total }
  const known = await sql<{ id: string }>`select calendar_id as id from ${calendarsAfter} k`.execute(db)
  const ids = known.rows.map(({ id }) => id)
  const sentenceOf = (id: string) => `There is no calendar ${id}.${didYouMean(ids, id)}`
  return { listed: listed.map((error) => ({ ...error, reason: sentenceOf(error.reason) })), total }
}

/** The unknown id stands for the reason. */
const unknownCalendars = sql`with known as materialized (select calendar_id from ${calendarsAfter} k),
  named as (
    select line, 'exchange' as kind, exchange_id as key, calendar_id from staged_exchange where calendar_id is not null
    union all select line, 'instrument', uic::text, calendar_id from staged_instrument where calendar_id is not null
    union all select line, 'optionRoot', option_root_id::text, calendar_id from staged_option_root
      where calendar_id is not null)
  select line, kind, key, 'CalendarId', calendar_id, null::bigint from named n
  where not exists (select from known k where k.calendar_id = n.calendar_id)
    and not ${wasRejected('calendar', sql`n.calendar_id`)}`

/** A currency settles by one calendar. */
const sharedCurrencies = sql`with named as materialized (
    select line, calendar_id, json_array_elements_text(document -> 'Currencies') as currency from ${calendarsAfter} k)
  select s.line, 'calendar', s.calendar_id, 'Currencies',
    s.currency || ' is already in calendar ' || min(o.calendar_id) || '.', null::bigint
  from named s join named o on o.currency = s.currency and o.calendar_id <> s.calendar_id
    and (o.line is null or o.line < s.line)
  where s.line is not null group by s.line, s.calendar_id, s.currency`

const usedCalendars = sql`select d.line, 'calendar', d.calendar_id, 'delete', 'Is still the calendar of ' || count(*) ||
    ' exchanges, instruments or option roots, such as ' || min(u.name) || '.', null::bigint
  from staged_calendar d join (
    select calendar_id, 'exchange ' || exchange_id as name from exchange e
    where not exists (select from staged_exchange s where s.exchange_id = e.exchange_id)
    union all select calendar_id, 'instrument ' || uic from instrument i
    where not exists (select from staged_instrument s where s.uic = i.uic)
    union all select calendar_id, 'option root ' || option_root_id from option_root r
    where not exists (select from staged_option_root s where s.option_root_id = r.option_root_id)
  ) u on u.calendar_id = d.calendar_id
  where d.deletion and not ${wasRejected('calendar', sql`d.calendar_id`)} group by d.line, d.calendar_id`
