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

/** Where a catalogue gets its states from: the builder, or another thread that has one. */
export interface CatalogueSource {
  /** Delivers the current state and every later one. Resolves after the first. */
  start(serve: (state: CatalogueState) => void): Promise<void>
  stop(): Promise<void>
}
