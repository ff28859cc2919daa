import { readHistoryStart } from '../../../database/history/moments.ts'
import type { Db, Trx } from '../../../database/open.ts'
import {
  eachPastInstrument,
  eachPastOptionRoot,
  listPastCalendars,
  listPastExchanges,
  type PastRecord,
} from '../../store/past.ts'
import { listRemoved, wasInState } from '../../store/reference.ts'
import { type Built, consistently } from '../build/build.ts'
import { SegmentBuilder } from '../build/segment-builder.ts'
import { changedSince } from '../deleted-docs.ts'
import type { Segment } from '../segment.ts'
import type { PastData } from '../source.ts'

/** Makes the state of a moment from the present base and a reverse change: what has changed since the moment, or since the base,
 *  as it was. Returns 'other' if the base or the history belongs to another state of the database. */
export function buildPast(db: Db, base: Segment, { history, seq, revision }: PastData): Promise<Built | 'other'> {
  return consistently(db, async (trx) => {
    const start = await readHistoryStart(trx)
    const isKnown = start.identity === history && start.prunedSeq <= seq
    if (!isKnown || base.revision === 0 || !(await wasInState(trx, base))) return 'other'
    const identity = `${history} ${revision}`
    const facts = { exchanges: await listPastExchanges(trx, seq), calendars: await listPastCalendars(trx, seq) }
    return { revision, identity, ...facts, changed: await readReverse(trx, base, { seq, revision, identity }) }
  })
}

async function readReverse(
  trx: Trx,
  base: Segment,
  { seq, revision, identity }: Readonly<{ seq: number; revision: number; identity: string }>,
) {
  const builder = new SegmentBuilder()
  const { instruments, optionRoots } = await listRemoved(trx, base.revision)
  const gone = { instruments: new Set(instruments), optionRoots: new Set(optionRoots) }
  const add = <Document>(
    records: readonly PastRecord<Document>[],
    addRecord: (document: Document) => void,
    missing: Set<number>,
  ) => {
    for (const { key, document } of records) {
      if (document === null) missing.add(Number(key))
      else addRecord(document)
    }
  }
  for await (const records of eachPastInstrument(trx, seq, base.revision))
    add(records, (one) => builder.addInstrument(one), gone.instruments)
  for await (const records of eachPastOptionRoot(trx, seq, base.revision))
    add(records, (one) => builder.addRoot(one), gone.optionRoots)
  const removed = { instruments: [...gone.instruments], optionRoots: [...gone.optionRoots] }
  return changedSince(base, builder.finish(revision, identity), removed)
}
