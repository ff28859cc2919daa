import { mapInParts } from '../core/async/in-parts.ts'
import { listedZones, timeZoneAbbreviation, timeZoneOffset, wireTimeZoneId } from '../core/time/time-zones.ts'
import type { TimeZone } from './schema.ts'

/** Abbreviations by zone and offset. Asking Intl for one takes long, and there are hundreds of zones. */
const abbreviations = new Map<string, string>()

/** Other requests are served after so many. */
const zonesAtOnce = 50

/** Every zone that can occur, as of now: the numbered ones, all others that this runtime knows, and other spellings in
 *  use. By number, which is a string here. */
export function timeZones(inUse: Iterable<string>, now: Temporal.Instant): Promise<TimeZone[]> {
  const zones = new Map(listedZones.map(({ id, ...facts }) => [id, facts]))
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...inUse]) {
    const id = wireTimeZoneId(zone)
    if (!zones.has(id)) zones.set(id, { zone, abbreviations: [] })
  }
  const byId = [...zones].sort(([a], [b]) => a - b)
  return mapInParts(byId, zonesAtOnce, ([id, { zone, abbreviations: seasons }]) => {
    const name = zone.replaceAll('_', ' ')
    const TimeZoneOffset = timeZoneOffset(zone, now)
    return {
      DisplayName: seasons.length === 0 ? name : `${name} (${seasons.join(', ')})`,
      TimeZoneAbbreviation: abbreviations.getOrInsertComputed(`${zone} ${TimeZoneOffset}`, () =>
        timeZoneAbbreviation(zone, now),
      ),
      TimeZoneId: String(id),
      TimeZoneOffset,
      ZoneName: zone,
    }
  })
}

/** Clocks change on the quarter hour, so offsets hold until the next one. */
export function quarterHourOf(now: Temporal.Instant): number {
  return Math.floor(now.epochMilliseconds / 900_000)
}
