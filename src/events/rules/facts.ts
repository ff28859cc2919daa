import type { EventState, EventStatus } from '../api/enums.ts'
import type { Closing } from './elections/closing.ts'

/** What an event is filtered, sorted and joined by, in memory. Days are texts (2026-12-31), which compare as days do. */
export type EventFacts = Readonly<{
  eventId: string
  uic: number
  assetType: string
  corporateActionType: string
  eventType: string
  eventTypeName: string
  state: EventState
  /** The status in the data; null leaves it to the dates. */
  status: EventStatus | null
  isElectable: boolean
  /** What happens when elections end; undefined if nothing does. */
  closing: Closing | undefined
  announcedOn: string | null
  exOn: string | null
  recordOn: string | null
  keyDate: string | null
  startsOn: string | null
  endsOn: string | null
  deadlines: readonly string[]
  payments: readonly string[]
  /** The names in the event's record, else those of the instrument. */
  description: string | null
  isin: string | null
  symbol: string | null
  /** Microseconds since 1970. */
  updatedAt: number
  revision: number
}>

/** When a request is answered: the day in UTC, and the time of the service by which defaults apply. */
export type Moment = Readonly<{ today: string; nowMs: number }>

/** Identifies what is held: an instrument as one of its asset types. */
export const instrumentKey = (assetType: string, uic: number): string => `${assetType} ${uic}`
