import type { CalendarEntry } from '../rules/calendar-entries.ts'

/** iCalendar (RFC 5545), as much of it as a calendar of days and deadlines takes. */
type Calendar = Readonly<{ name: string; entries: Iterable<CalendarEntry>; version: string }>

/**
 * A calendar, entry by entry. No METHOD: that would make it a message of scheduling (RFC 5546), which needs an organizer.
 * Without it DTSTAMP says when an entry was last revised (RFC 5545 §3.8.7.2), so the text changes with the data and not
 * with the time of asking.
 */
export function* renderCalendar({ name, entries, version }: Calendar): Generator<string> {
  yield joined([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//refdesk//refdesk ${text(version)}//EN`,
    'CALSCALE:GREGORIAN',
    // RFC 7986 §5.1 and §5.7, each with what programs knew before it.
    `NAME:${text(name)}`,
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ])
  for (const entry of entries) yield joined(entryLines(entry))
  yield joined(['END:VCALENDAR'])
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('')

function entryLines(entry: CalendarEntry): string[] {
  const updated = Temporal.Instant.from(entry.updatedAt)
  return [
    'BEGIN:VEVENT',
    `UID:${text(entry.uid)}`,
    `DTSTAMP:${utcTime(updated)}`,
    `LAST-MODIFIED:${utcTime(updated)}`,
    // A later revision has the higher number; minutes stay within 32 bits, which is what programs keep.
    `SEQUENCE:${Math.max(0, Math.floor(updated.epochMilliseconds / 60_000))}`,
    ...timeLines(entry.at),
    `SUMMARY:${text(entry.title)}`,
    `DESCRIPTION:${text(entry.description)}`,
    `CATEGORIES:${text(entry.category)}`,
    `STATUS:${entry.status}`,
    // What a company does takes none of its holder's time.
    'TRANSP:TRANSPARENT',
    ...(entry.hasAlarm ? alarmLines(entry.title) : []),
    'END:VEVENT',
  ]
}

/** A day ends with the next one, exclusive; a deadline is a moment, which ends when it starts (RFC 5545 §3.6.1). */
function timeLines(at: string): string[] {
  if (at.length > 10) return [`DTSTART:${utcTime(Temporal.Instant.from(at))}`]
  const next = Temporal.PlainDate.from(at).add({ days: 1 }).toString()
  return [`DTSTART;VALUE=DATE:${compact(at)}`, `DTEND;VALUE=DATE:${compact(next)}`]
}

const alarmLines = (title: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${text(title)}`,
  'TRIGGER:-P1D',
  'END:VALARM',
]

const compact = (time: string): string => time.replaceAll(/[:-]/g, '')

const utcTime = (instant: Temporal.Instant): string => compact(instant.toString({ smallestUnit: 'second' }))

/** A TEXT value (RFC 5545 §3.3.11). Control characters cannot be written at all, but for the tab; lines end with \n. */
export function text(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

const mostOctets = 75

/** Lines of at most 75 octets, cut between characters; each after the first starts with a space (RFC 5545 §3.1). */
export function folded(line: string): string {
  if (Buffer.byteLength(line) <= mostOctets) return line
  const bytes = Buffer.from(line)
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(bytes.length, start + (start === 0 ? mostOctets : mostOctets - 1))
    // A character goes on with octets of 10xxxxxx.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces.join('\r\n ')
}
