import type { Db, Trx } from '../../../database/open.ts'
import {
  countChanges,
  eachInstrument,
  eachOptionRoot,
  listCalendars,
  listExchanges,
  listRemoved,
  readDataState,
  wasInState,
} from '../../store/reference.ts'
import { type Changed, changedSince } from '../deleted-docs.ts'
import { inBlocks } from '../kept/segment-parts.ts'
import type { Segment } from '../segment.ts'
import type { CatalogueState } from '../source.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** Up to this many changes since the base segment stay a segment of their own, beside it; more are merged with it. */
const maxChanges = { records: 5_000, contracts: 100_000 }

/** What is served or kept on disk; the next state starts from it. */
export type Current = Pick<CatalogueState, 'revision' | 'identity' | 'base'>

/** The next state of the catalogue, on the same base. */
export type Built = Omit<CatalogueState, 'base'>

/** Reads all data. */
export function buildWhole(db: Db): Promise<CatalogueState> {
  return consistently(db, async (trx) => {
    const state = await readDataState(trx)
    return { ...state, ...(await readFacts(trx)), base: inBlocks(await readSegment(trx, state, 0)) }
  })
}

/** Reads what has changed since the base. Returns 'same' if nothing has since the current state, and 'other' if all data
 *  must be read, because too much has changed or the base belongs to another state of the database. */
export function buildChanges(db: Db, { revision, identity, base }: Current): Promise<Built | 'same' | 'other'> {
  return consistently(db, async (trx) => {
    const state = await readDataState(trx)
    if (state.revision === revision && state.identity === identity) return 'same'
    if (base.revision === 0 || !(await wasInState(trx, base))) return 'other'
    const counts = await countChanges(trx, base.revision)
    const facts = { ...state, ...(await readFacts(trx)) }
    if (counts.records === 0) return facts
    if (!areFew(counts) && !canMerge(counts, base)) return 'other'
    const removed = await listRemoved(trx, base.revision)
    return { ...facts, changed: changedSince(base, await readSegment(trx, state, base.revision), removed) }
  })
}

/** Whether so much has changed that searching it beside the base takes noticeably longer. */
export function isMergeDue({ segment: { docIds, options }, removed: { instruments, optionRoots } }: Changed): boolean {
  const records = docIds.length + instruments.length + optionRoots.length
  return !areFew({ records, contracts: options.uics.length })
}

/** Reads one state of the database. */
export const consistently = <T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

const readFacts = async (trx: Trx) => ({ exchanges: await listExchanges(trx), calendars: await listCalendars(trx) })

type DataState = Pick<CatalogueState, 'revision' | 'identity'>

async function readSegment(trx: Trx, { revision, identity }: DataState, afterRevision: number): Promise<Segment> {
  const builder = new SegmentBuilder()
  for await (const records of eachInstrument(trx, afterRevision)) for (const one of records) builder.addInstrument(one)
  for await (const records of eachOptionRoot(trx, afterRevision)) for (const one of records) builder.addRoot(one)
  return builder.finish(revision, identity)
}

/** Whether what has changed since a revision, by default everything, can be built quickly enough without a thread. */
export async function isSmall(db: Db, afterRevision = 0): Promise<boolean> {
  return areFew(await countChanges(db, afterRevision))
}

type Counts = Readonly<{ records: number; contracts: number }>

/** More changes than half of the base are not read beside it: the base is built again. */
const canMerge = ({ records, contracts }: Counts, { docIds, options }: Segment): boolean =>
  records <= docIds.length / 2 && contracts <= Math.max(options.uics.length / 2, maxChanges.contracts)

const areFew = ({ records, contracts }: Counts): boolean =>
  records <= maxChanges.records && contracts <= maxChanges.contracts
