import { plural } from '../../core/text.ts'
import type { Trx } from '../../database/open.ts'
import type { Filled } from '../../database/staging/stages.ts'
import { MessageEventRecord, warningNote } from '../messages/warning.ts'
import {
  type Ended,
  findReopened,
  findWarnings,
  mayEndContracts,
  mergeEvents,
  mergePositions,
  noneEnded,
  removeEnded,
} from '../store/import.ts'
import { findEventErrors } from '../store/import-checks.ts'
import { checkEvent } from './checks.ts'
import { EventRecord, PositionRecord } from './schema.ts'
import { eventRow, eventStage, positionRow, positionStage } from './stages.ts'
import { warnOfEvent } from './warnings.ts'

export { findListings } from '../store/messages.ts'
export { maxMessageMegabytes, maxMessages, NotificationCollector } from './notification-collector.ts'

/** The record kinds of this domain (§9.1). */
export const positionKind = {
  name: 'position',
  key: ['AccountKey', 'Uic', 'AssetType', 'From'],
  schema: PositionRecord,
  stage: positionStage,
  row: positionRow,
}

const anyEventKind = { name: 'event', key: ['EventId'], stage: eventStage, check: checkEvent }

export const eventKind = {
  ...anyEventKind,
  schema: EventRecord,
  warn: warnOfEvent,
  row: (record: EventRecord) => eventRow(record, true),
}

/** An event from a message, which has no elections: existing ones are kept. */
export const messageEventKind = {
  ...anyEventKind,
  schema: MessageEventRecord,
  row: (record: MessageEventRecord) => eventRow(record, false),
}

const maxListed = 20

export function eventsFamily(now: Temporal.Instant) {
  return {
    kinds: [positionKind, eventKind],
    findErrors: findEventErrors,
    apply: async (trx: Trx, filled: Filled) => {
      const hasEvents = filled.has(eventStage.table)
      const notes = hasEvents ? await eventNotes(trx) : []
      const positions = filled.has(positionStage.table) ? await mergePositions(trx) : none('position')
      const events = hasEvents ? await mergeEvents(trx, now) : none('event')
      const ended = mayEndContracts(filled) ? await removeEnded(trx) : noneEnded
      const counts = [
        { ...positions, removed: positions.removed + ended.positions },
        { ...events, removed: events.removed + ended.events },
      ]
      return { counts, notes: ended.contracts > 0 ? [...notes, endedNote(ended)] : notes }
    },
  }
}

const none = (kind: string) => ({ kind, added: 0, changed: 0, unchanged: 0, removed: 0 })

async function eventNotes(trx: Trx): Promise<string[]> {
  const { listed, total } = await findReopened(trx, maxListed)
  const more = total - listed.length
  const reopened = more > 0 ? [...listed, `${plural(more, 'more event')} left Cancelled or Complete.`] : listed
  return [...reopened, ...(await findWarnings(trx, maxListed)).map(warningNote)]
}

function endedNote({ contracts, positions, events }: Ended): string {
  const expired = `${plural(contracts, 'option contract')} that no longer ${contracts === 1 ? 'exists' : 'exist'}`
  const removed = [
    ...(positions > 0 ? [plural(positions, 'position')] : []),
    ...(events > 0 ? [plural(events, 'event')] : []),
  ]
  return `Removed ${removed.join(' and ')} of ${expired}.`
}
