import { listedZones, wireTimeZoneId } from '../core/time/time-zones.ts'
import type { TimeZone } from './schema.ts'

const byId = (a: TimeZone, b: TimeZone): number => a.TimeZoneId - b.TimeZoneId

/** Every zone that can occur: the numbered ones, all others that this runtime knows, and other spellings in use. */
export function timeZones(inUse: Iterable<string>): TimeZone[] {
  const zones = new Map(listedZones.map(({ id, ...facts }) => [id, facts]))
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...inUse]) {
    const id = wireTimeZoneId(zone)
    if (!zones.has(id)) zones.set(id, { zone, abbreviations: [] })
  }
  const rows = [...zones].map(([TimeZoneId, { zone, abbreviations }]) => {
    const name = zone.replaceAll('_', ' ')
    const DisplayName = abbreviations.length === 0 ? name : `${name} (${abbreviations.join(', ')})`
    return { DisplayName, TimeZoneId, ZoneName: zone }
  })
  return rows.sort(byId)
}
