/** The abbreviations of a zone, by offset from UTC in minutes. */
type Names = Readonly<Record<number, string>>

const eastern: Names = { [-300]: 'EST', [-240]: 'EDT' }
const central: Names = { [-360]: 'CST', [-300]: 'CDT' }
const british: Names = { 0: 'GMT', 60: 'BST' }
const centralEuropean: Names = { 60: 'CET', 120: 'CEST' }
const easternEuropean: Names = { 120: 'EET', 180: 'EEST' }
const utc: Names = { 0: 'UTC' }

/** The ids of time zones (§6.6), from 401 on our own. An id never changes and is never reused. */
const zones: readonly (readonly [id: number, zone: string, names?: Names])[] = [
  [0, 'Etc/UTC', utc],
  [1, 'Europe/London', british],
  [2, 'Asia/Singapore', { 480: 'SGT' }],
  [3, 'America/New_York', eastern],
  [4, 'Europe/Paris', centralEuropean],
  [5, 'America/Chicago', central],
  [6, 'America/Los_Angeles', { [-480]: 'PST', [-420]: 'PDT' }],
  [7, 'Asia/Hong_Kong', { 480: 'HKT' }],
  [8, 'Australia/Sydney', { 600: 'AEST', 660: 'AEDT' }],
  [9, 'Pacific/Auckland', { 720: 'NZST', 780: 'NZDT' }],
  [10, 'Etc/GMT-9'],
  [11, 'Etc/GMT-7'],
  [12, 'Europe/Moscow', { 180: 'MSK' }],
  [13, 'Etc/GMT-8'],
  [14, 'Europe/Helsinki', easternEuropean],
  [15, 'Pacific/Honolulu', { [-600]: 'HST' }],
  [16, 'Africa/Johannesburg', { 120: 'SAST' }],
  [17, 'Etc/GMT-10'],
  [18, 'Etc/GMT-3'],
  [19, 'Etc/GMT-4'],
  [20, 'America/Sao_Paulo', { [-180]: 'BRT', [-120]: 'BRST' }],
  [33, 'Africa/Cairo', easternEuropean],
  [104, 'America/Caracas', { [-240]: 'VET' }],
  [130, 'America/Halifax', { [-240]: 'AST', [-180]: 'ADT' }],
  [147, 'America/La_Paz', { [-240]: 'BOT' }],
  [256, 'Asia/Kolkata', { 330: 'IST' }],
  [298, 'Atlantic/Azores', { [-60]: 'AZOT', 0: 'AZOST' }],
  [401, 'Asia/Tokyo', { 540: 'JST' }],
  [402, 'America/Toronto', eastern],
  [403, 'Europe/Berlin', centralEuropean],
  [404, 'Europe/Amsterdam', centralEuropean],
  [405, 'Europe/Rome', centralEuropean],
  [406, 'Europe/Madrid', centralEuropean],
  [407, 'Europe/Zurich', centralEuropean],
  [408, 'Europe/Copenhagen', centralEuropean],
  [409, 'Europe/Stockholm', centralEuropean],
  [410, 'Europe/Luxembourg', centralEuropean],
  [411, 'Europe/Brussels', centralEuropean],
  [412, 'Europe/Oslo', centralEuropean],
  [413, 'Europe/Vienna', centralEuropean],
  [414, 'Europe/Prague', centralEuropean],
  [415, 'Europe/Warsaw', centralEuropean],
  [416, 'Europe/Budapest', centralEuropean],
  [417, 'Europe/Dublin', { 0: 'GMT', 60: 'IST' }],
  [418, 'Europe/Lisbon', { 0: 'WET', 60: 'WEST' }],
  [419, 'Europe/Athens', easternEuropean],
  [420, 'Europe/Tallinn', easternEuropean],
  [421, 'Europe/Riga', easternEuropean],
  [422, 'Europe/Vilnius', easternEuropean],
  [423, 'Europe/Bucharest', easternEuropean],
  [424, 'Europe/Istanbul', { 180: 'TRT' }],
  [425, 'Atlantic/Reykjavik', { 0: 'GMT' }],
  [426, 'Asia/Jerusalem', { 120: 'IST', 180: 'IDT' }],
  [427, 'Asia/Riyadh', { 180: 'AST' }],
  [428, 'Asia/Dubai', { 240: 'GST' }],
  [429, 'Asia/Qatar', { 180: 'AST' }],
  [430, 'Asia/Bangkok', { 420: 'ICT' }],
  [431, 'Asia/Ho_Chi_Minh', { 420: 'ICT' }],
  [432, 'Asia/Jakarta', { 420: 'WIB' }],
  [433, 'Asia/Kuala_Lumpur', { 480: 'MYT' }],
  [434, 'Asia/Manila', { 480: 'PHT' }],
  [435, 'Asia/Shanghai', { 480: 'CST' }],
  [436, 'Asia/Taipei', { 480: 'CST' }],
  [437, 'Asia/Seoul', { 540: 'KST' }],
  [438, 'Asia/Karachi', { 300: 'PKT' }],
  [439, 'Australia/Brisbane', { 600: 'AEST' }],
  [440, 'Australia/Perth', { 480: 'AWST' }],
  [441, 'America/Denver', { [-420]: 'MST', [-360]: 'MDT' }],
  [442, 'America/Vancouver', { [-480]: 'PST', [-420]: 'PDT' }],
  [443, 'America/Mexico_City', { [-360]: 'CST' }],
  [444, 'America/Bogota', { [-300]: 'COT' }],
  [445, 'America/Lima', { [-300]: 'PET' }],
  [446, 'America/Santiago', { [-240]: 'CLT', [-180]: 'CLST' }],
  [447, 'America/Argentina/Buenos_Aires', { [-180]: 'ART' }],
  [448, 'Africa/Lagos', { 60: 'WAT' }],
  [449, 'Africa/Nairobi', { 180: 'EAT' }],
  [450, 'Africa/Casablanca', { 0: 'WET', 60: 'WEST' }],
]

/** Winter first, which has the smaller offset. */
const abbreviationsIn = (names: Names): string[] =>
  Object.entries(names)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, name]) => name)

export const listedZones = zones.map(([id, zone, names = {}]) => ({ id, zone, abbreviations: abbreviationsIn(names) }))

const ids = new Map(zones.map(([id, zone]) => [zone, id]))
const namesOf = new Map(zones.map(([, zone, names]) => [zone, names]))

/** Other spellings that an import may use. */
const aliases: Readonly<Record<string, string>> = {
  UTC: 'Etc/UTC',
  GMT: 'Etc/UTC',
  'Etc/GMT': 'Etc/UTC',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'US/Central': 'America/Chicago',
  'US/Eastern': 'America/New_York',
}

const listed = (zone: string): string => aliases[zone] ?? zone

export const timeZoneIdOf = (zone: string): number | undefined => ids.get(listed(zone))

/** The id on the wire. An unlisted zone gets a number above 1,000,000 that is hashed from its name (FNV-1a): unique among
 *  IANA zones and the same on every node and in every release, so clients may store it. */
export function wireTimeZoneId(zone: string): number {
  const id = timeZoneIdOf(zone)
  if (id !== undefined) return id
  let hash = 0x811c9dc5
  for (const letter of new TextEncoder().encode(zone)) hash = Math.imul(hash ^ letter, 0x01000193)
  return 1_000_001 + ((hash >>> 0) % 1_000_000_000)
}

/** The IANA name as the time zone database spells it, from any case. Undefined for unknown names and for offsets. */
export function timeZoneName(zone: string): string | undefined {
  try {
    return /^[A-Za-z]/.test(zone) ? new Temporal.ZonedDateTime(0n, zone).timeZoneId : undefined
  } catch {
    return undefined
  }
}

/** The abbreviation at an instant, such as EST in winter and EDT in summer; GMT and the offset for a zone without one. */
export function timeZoneAbbreviation(zone: string, at: Temporal.Instant): string {
  const offsetMinutes = Math.round(at.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9)
  const name = namesOf.get(listed(zone))?.[offsetMinutes]
  if (name !== undefined) return name
  // Intl knows few abbreviations outside the locale's country (it has GMT+9 for JST), so the table comes first.
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  const parts = format.formatToParts(at.epochMilliseconds).filter(({ type }) => type === 'timeZoneName')
  return parts.map(({ value }) => value).join('')
}

/** The offset from UTC at an instant, as on the wire: "-05:00:00", "05:30:00", "00:00:00". */
export function timeZoneOffset(zone: string, at: Temporal.Instant): string {
  const seconds = Math.round(at.toZonedDateTimeISO(zone).offsetNanoseconds / 1e9)
  const [size, sign] = [Math.abs(seconds), seconds < 0 ? '-' : '']
  const parts = [Math.trunc(size / 3600), Math.trunc(size / 60) % 60, size % 60]
  return sign + parts.map((part) => String(part).padStart(2, '0')).join(':')
}
