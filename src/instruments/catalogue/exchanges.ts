import { localDay } from '../../core/time/days.ts'
import { wireTimeZoneId } from '../../core/time/time-zones.ts'
import type { ExchangeRecord } from '../import/schema.ts'

/** An exchange as answers need it: its summary is ready-made. */
export type ExchangeFacts = Readonly<{
  record: ExchangeRecord
  /** `"Exchange":{...}` of the details (§2.6). */
  summary: Buffer
}>

export function exchangeFacts(record: ExchangeRecord): ExchangeFacts {
  const { CountryCode, ExchangeId, Name, PriceSourceName, TimeZone } = record
  const summary = { CountryCode, ExchangeId, Name, PriceSourceName, TimeZoneId: String(wireTimeZoneId(TimeZone)) }
  return { record, summary: Buffer.from(`"Exchange":${JSON.stringify(summary)}`) }
}

/** Days since 1970 in each time zone; asked for at every request, and worked out once a minute. */
export class LocalDays {
  #minute = Number.NaN
  #key: string | undefined
  readonly #days = new Map<string, number>()

  today(zone: string, now: Temporal.Instant): number {
    this.#forgetOld(now)
    const known = this.#days.get(zone)
    if (known !== undefined) return known
    const day = localDay(now, zone)
    this.#days.set(zone, day)
    return day
  }

  /** A text that is another one when it is another day in any of the zones. */
  key(zones: Iterable<string>, now: Temporal.Instant): string {
    this.#forgetOld(now)
    this.#key ??= [...zones].map((zone) => this.today(zone, now)).join()
    return this.#key
  }

  #forgetOld(now: Temporal.Instant): void {
    const minute = Math.floor(now.epochMilliseconds / 60_000)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#key = undefined
    this.#days.clear()
  }
}
