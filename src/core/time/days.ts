import { LRUCache } from 'lru-cache'

/** Days are numbers counted from 1970-01-01, so that comparing them for every row of a response is cheap. */
const epoch = Temporal.PlainDate.from('1970-01-01')

const maxCached = { days: 10_000, moments: 20_000 }
const dayNumber = (day: string | Temporal.PlainDate): number => epoch.until(day).days
const numbers = new LRUCache<string, number>({ max: maxCached.days, memoMethod: dayNumber })
const texts = new LRUCache<number, string>({
  max: maxCached.days,
  memoMethod: (days) => epoch.add({ days }).toString(),
})

export const epochDay = (day: string): number => numbers.memo(day)

export const localDay = (instant: Temporal.Instant, timeZone: string): number =>
  dayNumber(instant.toZonedDateTimeISO(timeZone).toPlainDate())

export const dayText = (day: number): string => texts.memo(day)

export const monthStart = (day: number): number => day + 1 - Number(dayText(day).slice(-2))

/** The day of an instant in a time zone, and the instant as text for the wire. */
export type Moment = Readonly<{ day: number; text: string }>

/** By time zone and microseconds since 1970. */
const moments = new LRUCache<string, Moment>({ max: maxCached.moments })

export function momentAt(epochMicroseconds: number, timeZone: string): Moment {
  const key = `${timeZone} ${epochMicroseconds}`
  const known = moments.get(key)
  if (known) return known
  const instant = Temporal.Instant.fromEpochNanoseconds(BigInt(epochMicroseconds) * 1000n)
  const moment = { day: localDay(instant, timeZone), text: instant.toString({ fractionalSecondDigits: 6 }) }
  moments.set(key, moment)
  return moment
}

/** Microseconds since 1970, truncated. A double holds them exactly until the year 2255. */
export function epochMicroseconds(instant: string): number {
  return Number(Temporal.Instant.from(instant).epochNanoseconds / 1000n)
}
