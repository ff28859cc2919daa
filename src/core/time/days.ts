/** Calendar days as numbers, counted from 1970-01-01: what is asked for every row of an answer is a subtraction then. */
const epoch = Temporal.PlainDate.from('1970-01-01')

/** There are few different ones of each. */
const most = { days: 10_000, zones: 100, momentsOfZone: 2_000 }
const numbers = new Map<string, number>()
const texts = new Map<number, string>()
const monthStarts = new Map<number, number>()

const dayNumber = (day: string | Temporal.PlainDate): number => epoch.until(day).days

/** Of a day written YYYY-MM-DD. */
export const epochDay = (day: string): number => kept(numbers, most.days, day, () => dayNumber(day))

/** Of now, or any other instant, in a time zone. */
export const localDay = (instant: Temporal.Instant, timeZone: string): number =>
  dayNumber(instant.toZonedDateTimeISO(timeZone).toPlainDate())

/** A day, YYYY-MM-DD. */
export const dayText = (day: number): string => kept(texts, most.days, day, () => epoch.add({ days: day }).toString())

/** The first day of its month. */
export const monthStart = (day: number): number =>
  kept(monthStarts, most.days, day, () => day + 1 - Number(dayText(day).slice(-2)))

/** The day of an instant in a time zone, and the instant as the wire writes it. */
export type Moment = Readonly<{ day: number; text: string }>

const moments = new Map<string, Map<number, Moment>>()

export function momentAt(epochMicroseconds: number, timeZone: string): Moment {
  const ofZone = kept(moments, most.zones, timeZone, () => new Map<number, Moment>())
  return kept(ofZone, most.momentsOfZone, epochMicroseconds, () => {
    const instant = Temporal.Instant.fromEpochNanoseconds(BigInt(epochMicroseconds) * 1000n)
    return { day: localDay(instant, timeZone), text: instant.toString({ fractionalSecondDigits: 6 }) }
  })
}

/** Microseconds since 1970 (a double has them exactly until the year 2255); what is finer is cut off. */
export function epochMicroseconds(instant: string): number {
  return Number(Temporal.Instant.from(instant).epochNanoseconds / 1000n)
}

function kept<K, V>(known: Map<K, V>, size: number, key: K, make: () => V): V {
  const value = known.get(key)
  if (value !== undefined) return value
  if (known.size >= size) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
