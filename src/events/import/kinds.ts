import { Type } from 'typebox'
import { plural } from '../../core/text.ts'
import type { Trx } from '../../database/open.ts'
import type { CopyValue } from '../../database/staging/copy.ts'
import { stageRecords, throwFirstError } from '../../database/staging/stage-records.ts'
import {
  type Ended,
  eventStage,
  findRevived,
  findWarnings,
  type Merged,
  mergeEvents,
  mergePositions,
  positionStage,
  removeEnded,
} from '../store/import.ts'
import { findEventErrors, findOwnErrors } from '../store/import-checks.ts'
import { canonicalEvent, isElectable } from './canonical.ts'
import { checkEvent } from './checks.ts'

export { findListings } from '../store/messages.ts'
export { maxMessageMegabytes, maxMessages, NotificationCollector } from './notification-collector.ts'

import { MessageEventRecord, warningNote } from '../messages/warning.ts'
import { eventDates } from '../rules/dates.ts'
import { EventRecord, PositionRecord } from './schema.ts'

const closed = { additionalProperties: false }

/** The kinds of what is held and what happens to it (contract §9), for whoever reads the lines. */
export const positionKind = {
  name: 'position',
  key: ['AccountKey', 'Uic', 'AssetType', 'From'],
  // PostgreSQL knows no year 0. It is part of the key, of which a deletion has nothing else.
  schema: Type.Object(
    { ...PositionRecord.properties, From: Type.Optional(Type.String({ format: 'date', pattern: '^(?!0000)' })) },
    closed,
  ),
  stage: positionStage,
  row: (record: PositionRecord): CopyValue[] => {
    const { AccountKey, Uic, AssetType, From, Amount } = record
    return [AccountKey, Uic, AssetType, From ?? null, Amount]
  },
}

export const eventKind = {
  name: 'event',
  key: ['EventId'],
  schema: EventRecord,
  stage: eventStage,
  check: checkEvent,
  row: (record: EventRecord): CopyValue[] => eventRow(record, true),
}

/** An event out of a message, which says nothing of the elections of single accounts: those that are there stay. */
export const messageEventKind = {
  ...eventKind,
  schema: MessageEventRecord,
  row: (record: MessageEventRecord): CopyValue[] => eventRow(record, false),
}

/** The values of the stage's columns, in its order. */
function eventRow(record: MessageEventRecord, tellsHoldings: boolean): CopyValue[] {
  const { document, aside, updatedDateTime, holdings } = canonicalEvent(record)
  const dates = eventDates(record)
  const { DisplayAndFormat: names } = record
  return [
    record.EventId,
    record.Uic,
    record.AssetType,
    record.CorporateActionType,
    record.EventType.Code,
    document.EventType.Name ?? record.EventType.Code,
    record.EventState,
    record.EventStatus ?? null,
    isElectable(record),
    dates.announcedOn,
    dates.exOn,
    dates.recordOn,
    dates.keyDate,
    dates.startsOn,
    dates.endsOn,
    dates.deadlines,
    dates.payments,
    names?.Description ?? null,
    names?.IsinCode ?? null,
    names?.Symbol ?? null,
    JSON.stringify(document),
    aside && JSON.stringify(aside),
    updatedDateTime,
    tellsHoldings ? JSON.stringify(holdings) : null,
    record.Remark?.Kind ?? null,
    record.Remark?.Text ?? null,
  ]
}

const mostNotes = 20

export function eventsFamily(now: Temporal.Instant) {
  return {
    kinds: [positionKind, eventKind],
    findErrors: findEventErrors,
    apply: async (trx: Trx) => {
      const { told, total } = await findRevived(trx, mostNotes)
      const revived = total > told.length ? [...told, `and ${total - told.length} more events that were over.`] : told
      const notes = [...revived, ...(await findWarnings(trx, mostNotes)).map(warningNote)]
      const [positions, events] = [await mergePositions(trx), await mergeEvents(trx, now)]
      const ended = await removeEnded(trx)
      const counts = [
        { ...positions, removed: positions.removed + ended.positions },
        { ...events, removed: events.removed + ended.events },
      ]
      return { counts, notes: ended.contracts > 0 ? [...notes, endedNote(ended)] : notes }
    },
  }
}

function endedNote({ contracts, positions, events }: Ended): string {
  const gone = contracts === 1 ? '1 option contract that is gone' : `${contracts} option contracts that are gone`
  const lost = [
    ...(positions > 0 ? [plural(positions, 'position')] : []),
    ...(events > 0 ? [plural(events, 'event')] : []),
  ]
  return `With ${gone} went ${lost.join(' and ')}.`
}

/** Merges records that the program itself has made, within a transaction of the caller's. Their accounts and instruments
 *  must be there already. Throws at the first fault. */
export async function importEvents(
  trx: Trx,
  { positions, events }: { positions: Iterable<PositionRecord>; events: Iterable<EventRecord> },
  now: Temporal.Instant,
): Promise<Merged[]> {
  await stageRecords(trx, [positionKind, eventKind], named(positions, events))
  throwFirstError(await findOwnErrors(trx))
  return [await mergePositions(trx), await mergeEvents(trx, now)]
}

function* named(positions: Iterable<PositionRecord>, events: Iterable<EventRecord>) {
  for (const record of positions) yield { kind: 'position', ...record }
  for (const record of events) yield { kind: 'event', ...record }
}
