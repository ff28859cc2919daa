import type { Db } from '../../../database/open.ts'
import type { CalendarRecord, ExchangeRecord } from '../../import/schema.ts'
import {
  countChanges,
  eachInstrument,
  eachOptionRoot,
  listCalendars,
  listExchanges,
  listRemoved,
  readDataState,
} from '../../store/reference.ts'
import type { Segment } from '../segment.ts'
import type { Removed } from '../snapshot.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** More changes than this since the base segment, and the base is rebuilt. */
const maxChanges = { records: 5_000, contracts: 100_000 }

/** The next state of the catalogue: a new base segment, or the changes since the current one. */
export type Built = Readonly<{
  revision: number
  identity: string
  exchanges: ExchangeRecord[]
  calendars: CalendarRecord[]
  segment: Segment
  /** Absent if the segment is a new base. */
  since?: Readonly<{ baseRevision: number; removed: Removed }>
}>

export type Current = Readonly<{ revision: number; identity: string; baseRevision: number }> | undefined

/** Reads one consistent state of the database. Returns undefined if the catalogue is up to date. */
export async function build(db: Db, current: Current): Promise<Built | undefined> {
  const read = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { revision, identity } = await readDataState(trx)
      if (current?.revision === revision && current.identity === identity) return undefined
      const [exchanges, calendars] = [await listExchanges(trx), await listCalendars(trx)]
      const baseRevision = await usableBase(trx, current, revision)
      const builder = new SegmentBuilder()
      for await (const records of eachInstrument(trx, baseRevision))
        for (const one of records) builder.addInstrument(one)
      for await (const records of eachOptionRoot(trx, baseRevision)) for (const one of records) builder.addRoot(one)
      const removed = baseRevision > 0 ? await listRemoved(trx, baseRevision) : undefined
      return { revision, identity, exchanges, calendars, builder, ...(removed && { since: { baseRevision, removed } }) }
    })
  if (!read) return undefined
  const { builder, ...built } = read
  return { ...built, segment: builder.finish(read.revision) }
}

/** Whether all data can be built quickly enough without a thread. */
export async function isSmall(db: Db): Promise<boolean> {
  return areFew(await countChanges(db, 0))
}

const areFew = ({ records, contracts }: { records: number; contracts: number }): boolean =>
  records <= maxChanges.records && contracts <= maxChanges.contracts

/** The revision of the base if little has changed since, else 0. A database restored to an earlier state does not know
 *  what it lost, so then the base is rebuilt too. */
async function usableBase(db: Db, current: Current, revision: number): Promise<number> {
  if (!current || current.baseRevision === 0 || revision <= current.revision) return 0
  return areFew(await countChanges(db, current.baseRevision)) ? current.baseRevision : 0
}
