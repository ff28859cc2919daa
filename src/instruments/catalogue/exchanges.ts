import { localDay } from '../../core/time/days.ts'
import { wireTimeZoneId } from '../../core/time/time-zones.ts'
import type { ExchangeRecord } from '../import/schema.ts'
import type { Calendar } from '../rules/trading-day.ts'
import type { Calendars } from './calendars.ts'

export type ExchangeFacts = Readonly<{
  record: ExchangeRecord
  calendar: Calendar
  /** `"Exchange":{...}` of instrument details, ready to send (§6.2). */
  summary: Buffer
  /** `"ExchangeCountry":"US","ExchangeName":"NASDAQ",` of search results (§6.1). */
  names: Buffer
}>

const namesOf = ({ CountryCode, Name }: ExchangeRecord): Buffer =>
  Buffer.from(`"ExchangeCountry":"${CountryCode}","ExchangeName":${JSON.stringify(Name)},`)

export function exchangeFacts(record: ExchangeRecord, calendars: Calendars): ExchangeFacts {
  const { CountryCode, ExchangeId, Name, PriceSourceName, TimeZone } = record
  const summary = { CountryCode, ExchangeId, Name, PriceSourceName, TimeZoneId: String(wireTimeZoneId(TimeZone)) }
  return {
    record,
    calendar: calendars.ofExchange(record),
    summary: Buffer.from(`"Exchange":${JSON.stringify(summary)}`),
    names: namesOf(record),
  }
}

/** Today in each time zone, in days since 1970. Needed by every request, computed once a minute. */
export class LocalDays {
  #minute = Number.NaN
  #key: string | undefined
  readonly #days = new Map<string, number>()

  today(zone: string, now: number): number {
    this.#startMinute(now)
    return this.#days.getOrInsertComputed(zone, () => localDay(Temporal.Instant.fromEpochMilliseconds(now), zone))
  }

  /** A string that changes whenever the day changes in any of the zones. */
  key(zones: Iterable<string>, now: number): string {
    this.#startMinute(now)
    this.#key ??= [...zones].map((zone) => this.today(zone, now)).join()
    return this.#key
  }

  #startMinute(now: number): void {
    const minute = Math.floor(now / 60_000)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#key = undefined
    this.#days.clear()
  }
}
