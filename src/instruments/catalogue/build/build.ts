import type { Db } from '../../../database/open.ts'
import type { ExchangeRecord } from '../../import/schema.ts'
import {
  countChanges,
  eachInstrument,
  eachOptionRoot,
  listExchanges,
  listRemoved,
  readDataState,
} from '../../store/reference.ts'
import type { Segment } from '../segment.ts'
import type { Removed } from '../snapshot.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** So many changes are kept beside the base; when there are more, the base is made anew. */
const most = { records: 5_000, contracts: 100_000 }

/** All that the serving thread needs to move on: a whole base, or what changed since the one it has. */
export type Built = Readonly<{
  revision: number
  identity: string
  exchanges: ExchangeRecord[]
  segment: Segment
  /** Undefined: the segment is a new base. */
  since?: Readonly<{ baseRevision: number; removed: Removed }>
}>

type Have = { revision: number; identity: string; baseRevision: number } | undefined

/** Reads one state of the database; undefined when the catalogue is at its revision already. */
export async function build(db: Db, have: Have): Promise<Built | undefined> {
  const read = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { revision, identity } = await readDataState(trx)
      if (have?.revision === revision && have.identity === identity) return undefined
      const exchanges = await listExchanges(trx)
      const baseRevision = await usableBase(trx, have, revision)
      const builder = new SegmentBuilder()
      for await (const portion of eachInstrument(trx, baseRevision))
        for (const record of portion) builder.addInstrument(record)
      for await (const portion of eachOptionRoot(trx, baseRevision))
        for (const record of portion) builder.addRoot(record)
      const removed = baseRevision > 0 ? await listRemoved(trx, baseRevision) : undefined
      return { revision, identity, exchanges, builder, ...(removed && { since: { baseRevision, removed } }) }
    })
  if (!read) return undefined
  const { builder, ...built } = read
  return { ...built, segment: builder.finish(read.revision) }
}

/** Whether all there is can be built in a moment. */
export async function isFew(db: Db): Promise<boolean> {
  return isWithin(await countChanges(db, 0))
}

const isWithin = ({ records, contracts }: { records: number; contracts: number }): boolean =>
  records <= most.records && contracts <= most.contracts

/** The base's revision where little changed since; 0 where it is better made anew. A database that was put back to an
 *  earlier state does not tell what is gone since, so nothing is kept then. */
async function usableBase(db: Db, have: Have, revision: number): Promise<number> {
  if (!have || have.baseRevision === 0 || revision <= have.revision) return 0
  return isWithin(await countChanges(db, have.baseRevision)) ? have.baseRevision : 0
}
