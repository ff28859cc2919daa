import { LRUCache } from 'lru-cache'

/** An instant, of which the milliseconds are enough. */
export type Moment = Readonly<{ epochMilliseconds: number }>

/** What the clocks of a time zone show. */
export type WallClock = Readonly<{
  date: Temporal.PlainDate
  /** The date as days since 1970. */
  dayNumber: number
  hour: number
  minute: number
  second: number
}>

/** The offset from UTC from one moment until another, all in milliseconds. */
type Offset = Readonly<{ from: number; until: number; offset: number }>

const dayMs = 86_400_000
const max = { zones: 100, days: 2_000 }
const offsets = new LRUCache<string, Offset>({ max: max.zones })
const epoch = Temporal.PlainDate.from('1970-01-01')
const dates = new LRUCache<number, Temporal.PlainDate>({ max: max.days, memoMethod: (days) => epoch.add({ days }) })

/** In milliseconds. The last one of a zone is remembered until its clocks change. */
export function offsetAt({ epochMilliseconds: at }: Moment, zone: string): number {
  const known = offsets.get(zone)
  if (known && at >= known.from && at < known.until) return known.offset
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const until = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity
  const offset = local.offsetNanoseconds / 1e6
  offsets.set(zone, { from: at, until, offset })
  return offset
}

/** The same as Temporal.ZonedDateTime shows, to the second. */
export function wallClock(at: Moment, zone: string): WallClock {
  const local = at.epochMilliseconds + offsetAt(at, zone)
  const dayNumber = Math.floor(local / dayMs)
  const seconds = Math.floor((local - dayNumber * dayMs) / 1_000)
  const minutes = Math.floor(seconds / 60)
  return {
    ...{ date: dates.memo(dayNumber), dayNumber },
    ...{ hour: Math.floor(minutes / 60), minute: minutes % 60, second: seconds % 60 },
  }
}
