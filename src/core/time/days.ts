/** Days are numbers counted from 1970-01-01, so that comparing them for every row of a response is cheap. */
const epoch = Temporal.PlainDate.from('1970-01-01')

const maxCached = { days: 10_000, zones: 100, momentsOfZone: 2_000 }
const numbers = new Map<string, number>()
const texts = new Map<number, string>()
const monthStarts = new Map<number, number>()

const dayNumber = (day: string | Temporal.PlainDate): number => epoch.until(day).days

export const epochDay = (day: string): number => cached(numbers, maxCached.days, day, () => dayNumber(day))

export const localDay = (instant: Temporal.Instant, timeZone: string): number =>
  dayNumber(instant.toZonedDateTimeISO(timeZone).toPlainDate())

export const dayText = (day: number): string =>
  cached(texts, maxCached.days, day, () => epoch.add({ days: day }).toString())

export const monthStart = (day: number): number =>
  cached(monthStarts, maxCached.days, day, () => day + 1 - Number(dayText(day).slice(-2)))

/** The day of an instant in a time zone, and the instant as text for the wire. */
export type Moment = Readonly<{ day: number; text: string }>

const moments = new Map<string, Map<number, Moment>>()

export function momentAt(epochMicroseconds: number, timeZone: string): Moment {
  const ofZone = cached(moments, maxCached.zones, timeZone, () => new Map<number, Moment>())
  return cached(ofZone, maxCached.momentsOfZone, epochMicroseconds, () => {
    const instant = Temporal.Instant.fromEpochNanoseconds(BigInt(epochMicroseconds) * 1000n)
    return { day: localDay(instant, timeZone), text: instant.toString({ fractionalSecondDigits: 6 }) }
  })
}

/** Microseconds since 1970, truncated. A double holds them exactly until the year 2255. */
export function epochMicroseconds(instant: string): number {
  return Number(Temporal.Instant.from(instant).epochNanoseconds / 1000n)
}

function cached<K, V>(known: Map<K, V>, size: number, key: K, make: () => V): V {
  const value = known.get(key)
  if (value !== undefined) return value
  if (known.size >= size) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
