import { sql } from 'kysely'
import { wireTime } from '../../core/clock.ts'
import type { Db } from '../../database/open.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import { type Elections, recordText, type StoredEvent } from '../import/canonical.ts'
import { eachElection } from './elections.ts'

async function* readPositions(db: Db): AsyncGenerator<string[]> {
  const query = sql<{
    document: object
  }>`select json_strip_nulls(json_build_object('AccountKey', account_key, 'Uic', uic,
      'AssetType', asset_type, 'From', nullif(held_from, '-infinity'), 'Amount', amount)) as document
    from position order by account_key collate "C", uic, asset_type collate "C", held_from`
  // JSON.stringify, so that numbers are formatted as in the other records.
  for await (const rows of readByCursor(db, query, 5_000)) yield rows.map((row) => JSON.stringify(row.document))
}

/** The stored form of the events with these ids, without elections. */
export async function readEventRows(db: Db, ids: readonly string[]) {
  const { rows } = await sql<Omit<StoredEvent, 'holdings'> & { id: string }>`
    select event_id as id, document::text as document, aside::text as aside, updated_at as "updatedAt"
    from event where event_id = any(${ids})`.execute(db)
  return rows
}

/** The same with elections, and the place that they have among those of their event. */
export async function readStoredEvents(db: Db, ids: readonly string[]) {
  const events = await readEventRows(db, ids)
  const holdings = await sql<{ id: string; accountKey: string; ordinal: number; document: Elections }>`
    select event_id as id, account_key as "accountKey", ordinal, document from event_holding
    where event_id = any(${ids})`.execute(db)
  return { events, holdings: holdings.rows }
}

/** Reassembles what canonical.ts split on import. */
async function* readEvents(db: Db): AsyncGenerator<string[]> {
  const query = sql<StoredEvent>`select document::text as document, aside::text as aside, updated_at as "updatedAt",
      (select json_agg(json_build_array(account_key, h.document) order by ordinal, account_key collate "C") from event_holding h
        where h.event_id = e.event_id) as holdings
    from event e order by event_id collate "C"`
  // Small chunks: an event may have a hundred thousand elections.
  for await (const rows of readByCursor(db, query, 20)) yield rows.map(recordText)
}

/** In the order in which they were made, from after a number. */
async function* readElections(db: Db, since: number): AsyncGenerator<string[]> {
  for await (const elections of eachElection(db, since))
    yield elections.map(({ number, eventId, accountKey, electedAt, userKey, appKey, elections: { Options = [] } }) =>
      JSON.stringify({
        ...{ Number: number, EventId: eventId, AccountKey: accountKey, ElectedAt: wireTime(electedAt) },
        ...{ UserKey: userKey, AppKey: appKey, Options },
      }),
    )
}

/** What the service itself has recorded: exported only by name, because it cannot be imported. */
export const electionExport = { kind: 'election', read: readElections }

export const eventExports = [
  { kind: 'position', read: readPositions },
  { kind: 'event', read: readEvents },
] as const
