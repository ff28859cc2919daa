import type { CalendarRecord, ExchangeRecord } from '../import/schema.ts'
import { type Calendar, isOpenDay } from '../rules/trading-day.ts'

const weekdays = isOpenDay({
  TimeZone: 'Etc/UTC',
  Hours: [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '00:00', End: '24:00' }],
})

/** The calendars of a snapshot, by id and by the currencies that settle on their days. */
export class Calendars {
  readonly #byId: ReadonlyMap<string, CalendarRecord>
  readonly #settlement = new Map<string, (day: number) => boolean>()

  constructor(records: readonly CalendarRecord[]) {
    this.#byId = new Map(records.map((record) => [record.CalendarId, record]))
    for (const record of records)
      for (const currency of record.Currencies ?? []) this.#settlement.set(currency, isOpenDay(record))
  }

  get(id: string | undefined): CalendarRecord | undefined {
    return id === undefined ? undefined : this.#byId.get(id)
  }

  /** An exchange without a calendar has its own hours and holidays. */
  ofExchange(record: ExchangeRecord): Calendar {
    return this.get(record.CalendarId) ?? record
  }

  /** A currency without a calendar settles from Monday to Friday. */
  settlesOn(currency: string, day: number): boolean {
    return (this.#settlement.get(currency) ?? weekdays)(day)
  }
}
