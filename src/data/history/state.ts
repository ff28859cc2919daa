import type { ClientRecord } from '../../access/api/schema.ts'
import { readPresent } from '../../access/store/export.ts'
import type { Db } from '../../database/open.ts'
import { type Elections, recordText } from '../../events/import/canonical.ts'
import { readEventRows, readStoredEvents } from '../../events/store/export.ts'
import { findRight, readDocuments, readPositions } from '../store/present.ts'

import { keyOfId, recordOfRow } from './stored.ts'

/** What was in the rows of a record: by part, null if the row did not exist. A row that is not in it has not changed. */
export type Parts = ReadonlyMap<string, string | null>
type Members = Readonly<Record<string, unknown>>

/** Groups versions by record. Of several versions of a row the first counts. */
export function partsOf(
  versions: Iterable<Readonly<{ id: string; part: string; previous: string | null }>>,
): Map<string, Parts> {
  const found = new Map<string, Map<string, string | null>>()
  for (const { id, part, previous } of versions) {
    const parts = found.getOrInsertComputed(id, () => new Map())
    if (!parts.has(part)) parts.set(part, previous)
  }
  return found
}

/** The records as they were before these changes, as JSON; those that did not exist are missing. Access rights are read by
 *  `rightOf`, because a client has several. */
export async function recordsBefore(db: Db, kind: string, changes: ReadonlyMap<string, Parts>) {
  const ids = [...changes.keys()]
  const found = new Map<string, string>()
  const put = (id: string, text: string | undefined) => text !== undefined && found.set(id, text)
  if (kind === 'event') {
    const stored = await storedEvents(db, ids)
    for (const [id, parts] of changes) put(id, eventBefore(parts, stored(id)))
    return found
  }
  const unchanged = ids.filter((id) => kind === 'client' || !changes.get(id)?.has(''))
  const present = await presentRecords(db, kind, unchanged)
  for (const [id, parts] of changes)
    put(id, kind === 'client' ? clientBefore(parts, present.get(id)) : rowBefore(kind, parts, present.get(id)))
  return found
}

/** One record as it was before each of several changes. What it is now is read once. Events are without elections, of which one
 *  may have very many. */
export async function recordReader(db: Db, kind: string, id: string): Promise<(parts: Parts) => string | undefined> {
  const present = (await presentRecords(db, kind, [id])).get(id)
  return (parts) => (kind === 'client' ? clientBefore(parts, present) : rowBefore(kind, parts, present))
}

/** Events are without elections. */
export async function presentRecords(db: Db, kind: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  if (kind === 'event')
    return new Map(
      (await readEventRows(db, ids)).map(({ id, ...event }) => [id, recordText({ ...event, holdings: null })]),
    )
  if (kind === 'position') {
    const keyed = ids.map((id) => ({ id, ...keyOfId(kind, id) }))
    return new Map((await readPositions(db, keyed)).map(({ id, row }) => [id, JSON.stringify(recordOfRow(kind, row))]))
  }
  if (kind !== 'client' && kind !== 'account' && kind !== 'user') return readDocuments(db, kind, ids)
  const records = await readPresent(db, kind, ids)
  return new Map([...records].map(([id, record]) => [id, JSON.stringify({ ...record, PasswordHash: undefined })]))
}

function rowBefore(kind: string, parts: Parts, present: string | undefined): string | undefined {
  const previous = parts.get('')
  if (previous === undefined) return present
  if (previous === null) return undefined
  if (kind === 'event') return recordText({ ...eventOfRow(previous), holdings: null })
  return ['account', 'user', 'position'].includes(kind) ? JSON.stringify(recordOfRow(kind, previous)) : previous
}

/** A client with its account groups, which are rows of their own. */
function clientBefore(parts: Parts, present: string | undefined): string | undefined {
  const now = present === undefined ? undefined : (JSON.parse(present) as ClientRecord)
  const previous = parts.get('')
  if (previous === null) return undefined
  const own = previous === undefined ? now : recordOfRow('client', previous)
  if (!own) return undefined
  const groups = new Map<string, Members>((now?.AccountGroups ?? []).map((group) => [group.AccountGroupKey, group]))
  for (const [part, row] of parts) {
    if (part !== '' && row === null) groups.delete(part)
    if (part !== '' && row !== null) groups.set(part, recordOfRow('accountGroup', row))
  }
  const AccountGroups = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
  return JSON.stringify({ ...own, AccountGroups: AccountGroups.length > 0 ? AccountGroups : undefined })
}

type Holding = Readonly<{ ordinal: number; document: Elections }>
type StoredEventRow = Readonly<{ document: string; aside: string | null; updatedAt: Temporal.Instant }>
type PresentEvent = Readonly<{ event: StoredEventRow | undefined; holdings: Map<string, Holding> }>

async function storedEvents(db: Db, ids: readonly string[]): Promise<(id: string) => PresentEvent> {
  const { events, holdings } = await readStoredEvents(db, ids)
  const byId = new Map(events.map((event) => [event.id, event]))
  const byEvent = Map.groupBy(holdings, ({ id }) => id)
  return (id) => ({
    event: byId.get(id),
    holdings: new Map((byEvent.get(id) ?? []).map(({ accountKey, ...holding }) => [accountKey, holding])),
  })
}

function eventBefore(parts: Parts, present: PresentEvent): string | undefined {
  const previous = parts.get('')
  if (previous === null) return undefined
  const event = previous === undefined ? present.event : eventOfRow(previous)
  if (!event) return undefined
  const holdings = new Map(present.holdings)
  for (const [part, row] of parts) {
    if (part !== '' && row === null) holdings.delete(part)
    if (part !== '' && row !== null) holdings.set(part, JSON.parse(row) as Holding)
  }
  const inOrder = [...holdings].toSorted(([a, one], [b, other]) => one.ordinal - other.ordinal || (a < b ? -1 : 1))
  const pairs = inOrder.map(([accountKey, { document }]): [string, Elections] => [accountKey, document])
  return recordText({ ...event, holdings: pairs.length > 0 ? pairs : null })
}

export function eventOfRow(text: string): StoredEventRow {
  const { document, aside, updated_at } = JSON.parse(text) as { document: object; aside: object; updated_at: string }
  return {
    document: JSON.stringify(document),
    aside: aside === null ? null : JSON.stringify(aside),
    updatedAt: Temporal.Instant.from(updated_at),
  }
}

/** The access right that a part names: as it was before it was removed, else as it is. */
export async function rightOf(db: Db, clientKey: string, part: string, row: string | null) {
  const known = row ?? (await findRight(db, clientKey, part))
  return known === undefined ? undefined : recordOfRow('accessRight', known)
}
