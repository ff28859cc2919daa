import type { ExchangeHolidays } from '../../../instruments/api/schema.ts'
import { time } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'

/** A holiday or, with `at`, a day with other hours. */
export type SpecialDay = Readonly<{
  date: string
  name: string
  at?: { verb: 'closes' | 'opens'; time: string }
}>

const known = new Remembered<readonly SpecialDay[]>()

export const specialDays = (holidays: ExchangeHolidays): readonly SpecialDay[] =>
  known.get(holidays, [], () => inOrder(holidays))

function inOrder({ Data, EarlyCloses, LateOpens }: ExchangeHolidays): SpecialDay[] {
  const shortDay = (verb: 'closes' | 'opens') => (one: ExchangeHolidays['EarlyCloses'][number]) => ({
    date: one.Date,
    name: one.Name ?? '',
    at: { verb, time: one.Time.slice(0, 5) },
  })
  return [
    ...Data.map(({ Date: date, Name: name }) => ({ date, name })),
    ...EarlyCloses.map(shortDay('closes')),
    ...LateOpens.map(shortDay('opens')),
  ].sort((one, other) => one.date.localeCompare(other.date))
}

/** The end of a day may be written 24:00, which Temporal rejects. */
function instantAt(date: string, time: string, timeZone: string): Temporal.Instant {
  const day = Temporal.PlainDate.from(date)
  if (time === '24:00') return day.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  return day.toZonedDateTime({ timeZone, plainTime: time }).toInstant()
}

/** Notes by day in a time zone. A special day is a date at the exchange; in another zone its note is on the date of
 *  noon at the exchange, which covers most of it. */
export function notesIn(days: readonly SpecialDay[], exchangeZone: string, zone: string): Map<string, string> {
  const notes = new Map<string, string>()
  for (const { date, name, at } of days) {
    const key = instantAt(date, '12:00', exchangeZone).toZonedDateTimeISO(zone).toPlainDate().toString()
    const hours = at && `${at.verb} ${time(instantAt(date, at.time, exchangeZone), zone)}`
    const note = [name, hours].filter(Boolean).join(', ')
    notes.set(key, [notes.get(key), note].filter(Boolean).join('. '))
  }
  return notes
}
