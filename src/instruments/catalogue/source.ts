import type { CalendarRecord, ExchangeRecord } from '../import/schema.ts'
import type { Changed } from './deleted-docs.ts'
import type { Segment } from './segment.ts'

/** Everything a snapshot is made of. Its arrays are in shared memory, so threads pass it on without copying them. */
export type CatalogueState = Readonly<{
  revision: number
  identity: string
  exchanges: readonly ExchangeRecord[]
  calendars: readonly CalendarRecord[]
  base: Segment
  /** The changes since the base, if any. */
  changed?: Changed | undefined
}>

/** The reference data of a moment: that with this revision, before the versions after `seq` of a history. */
export type PastData = Readonly<{ history: string; seq: number; revision: number }>

/** Where a catalogue gets its states from: the builder, or another thread that has one. */
export interface CatalogueSource {
  /** Delivers the current state and every later one. Resolves after the first. */
  start(serve: (state: CatalogueState) => void): Promise<void>
  /** The state of a moment of the past, for a client. */
  past(data: PastData, clientKey: string): Promise<CatalogueState>
  stop(): Promise<void>
}
