import { time } from '../../shared/format.ts'

/** What /x/v1/holidays tells of an exchange. */
export type Holidays = Readonly<{
  Name: string
  TimeZone: string
  Data: readonly { Date: string; Name: string }[]
  EarlyCloses: readonly ShortDay[]
  LateOpens: readonly ShortDay[]
}>
type ShortDay = Readonly<{ Date: string; Time: string; Name?: string }>

/** A day that is not like others; without `at` it is not traded at all. */
export type SpecialDay = Readonly<{
  date: string
  name: string
  at?: { verb: 'closes' | 'opens'; time: string }
}>

/** Holidays, early closes and late openings, in order. */
export function specialDays({ Data, EarlyCloses, LateOpens }: Holidays): SpecialDay[] {
  const short = (verb: 'closes' | 'opens') => (one: ShortDay) => ({
    date: one.Date,
    name: one.Name ?? '',
    at: { verb, time: one.Time.slice(0, 5) },
  })
  return [
    ...Data.map(({ Date: date, Name: name }) => ({ date, name })),
    ...EarlyCloses.map(short('closes')),
    ...LateOpens.map(short('opens')),
  ].sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
}

/** The end of a day may be written 24:00, which Temporal does not read. */
function momentOf(date: string, time: string, timeZone: string): Temporal.Instant {
  const day = Temporal.PlainDate.from(date)
  if (time === '24:00') return day.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  return day.toZonedDateTime({ timeZone, plainTime: time }).toInstant()
}

/**
 * The notes of a week, by day, as a zone's clocks tell them. A special day is a day of the exchange; in another zone
 * its note stands on the day that noon at the exchange falls on, which holds most of it.
 */
export function notesIn(days: readonly SpecialDay[], exchangeZone: string, zone: string): Map<string, string> {
  const notes = new Map<string, string>()
  for (const { date, name, at } of days) {
    const noon = momentOf(date, '12:00', exchangeZone)
    const key = noon.toZonedDateTimeISO(zone).toPlainDate().toString()
    const said = at && `${at.verb} ${time(momentOf(date, at.time, exchangeZone), zone)}`
    const note = [name, said].filter((text) => text).join(', ')
    notes.set(key, [notes.get(key), note].filter((text) => text).join('. '))
  }
  return notes
}
