import { plural } from '../../core/text.ts'
import type { Trx } from '../../database/open.ts'
import { MessageEventRecord, warningNote } from '../messages/warning.ts'
import { type Ended, findReopened, findWarnings, mergeEvents, mergePositions, removeEnded } from '../store/import.ts'
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
    apply: async (trx: Trx) => {
      const { listed, total } = await findReopened(trx, maxListed)
      const more = total - listed.length
      const reopened = more > 0 ? [...listed, `${plural(more, 'more event')} left Cancelled or Complete.`] : listed
      const notes = [...reopened, ...(await findWarnings(trx, maxListed)).map(warningNote)]
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
  const expired = `${plural(contracts, 'option contract')} that no longer ${contracts === 1 ? 'exists' : 'exist'}`
  const removed = [
    ...(positions > 0 ? [plural(positions, 'position')] : []),
    ...(events > 0 ? [plural(events, 'event')] : []),
  ]
  return `Removed ${removed.join(' and ')} of ${expired}.`
}
