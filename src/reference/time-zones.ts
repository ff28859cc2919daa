import { listedZones, wireTimeZoneId } from '../core/time/time-zones.ts'
import type { TimeZone } from './schema.ts'

const byId = (a: TimeZone, b: TimeZone): number => a.TimeZoneId - b.TimeZoneId

/**
 * Every zone whose number can be met: those of the list, all others that this machine knows, and those that exchanges
 * have under another spelling.
 */
export function timeZones(inUse: Iterable<string>): TimeZone[] {
  const zones = new Map(listedZones.map(({ id, ...facts }) => [id, facts]))
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...inUse]) {
    const id = wireTimeZoneId(zone)
    if (!zones.has(id)) zones.set(id, { zone, abbreviations: [] })
  }
  const rows = [...zones].map(([TimeZoneId, { zone, abbreviations }]) => {
    const place = zone.replaceAll('_', ' ')
    const DisplayName = abbreviations.length === 0 ? place : `${place} (${abbreviations.join(', ')})`
    return { DisplayName, TimeZoneId, ZoneName: zone }
  })
  return rows.sort(byId)
}
