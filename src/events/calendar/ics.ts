import type { CalendarEntry } from '../rules/calendar-entries.ts'

type Calendar = Readonly<{ name: string; entries: Iterable<CalendarEntry>; version: string }>

/** iCalendar, entry by entry. Without METHOD, DTSTAMP is the time of the last revision (RFC 5545 §3.8.7.2). */
export function* renderCalendar({ name, entries, version }: Calendar): Generator<string> {
  yield joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//refdesk//refdesk ${escapeText(version)}//EN`,
    'CALSCALE:GREGORIAN',
    // RFC 7986 §5.1 and §5.7, each with the older equivalent.
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ])
  for (const entry of entries) yield joinLines(entryLines(entry))
  yield joinLines(['END:VCALENDAR'])
}

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${foldLine(line)}\r\n`).join('')

function entryLines(entry: CalendarEntry): string[] {
  const updated = Temporal.Instant.from(entry.updatedAt)
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${utcTime(updated)}`,
    `LAST-MODIFIED:${utcTime(updated)}`,
    // A later revision needs a higher number; minutes fit in 32 bits.
    `SEQUENCE:${Math.max(0, Math.floor(updated.epochMilliseconds / 60_000))}`,
    ...timeLines(entry.at),
    `SUMMARY:${escapeText(entry.title)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    `CATEGORIES:${escapeText(entry.category)}`,
    `STATUS:${entry.status}`,
    'TRANSP:TRANSPARENT',
    ...(entry.hasAlarm ? alarmLines(entry.title) : []),
    'END:VEVENT',
  ]
}

/** DTEND is exclusive, so a day ends on the next; a deadline needs no end (RFC 5545 §3.6.1). */
function timeLines(at: string): string[] {
  if (at.length > 10) return [`DTSTART:${utcTime(Temporal.Instant.from(at))}`]
  const next = Temporal.PlainDate.from(at).add({ days: 1 }).toString()
  return [`DTSTART;VALUE=DATE:${compact(at)}`, `DTEND;VALUE=DATE:${compact(next)}`]
}

const alarmLines = (title: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeText(title)}`,
  'TRIGGER:-P1D',
  'END:VALARM',
]

const compact = (time: string): string => time.replaceAll(/[:-]/g, '')

const utcTime = (instant: Temporal.Instant): string => compact(instant.toString({ smallestUnit: 'second' }))

/** A TEXT value (RFC 5545 §3.3.11). Control characters except tab are not allowed. */
export function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

const maxOctets = 75

/** Folds into lines of at most 75 octets, between characters; continuation lines start with a space (RFC 5545 §3.1). */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line
  const bytes = Buffer.from(line)
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(bytes.length, start + (start === 0 ? maxOctets : maxOctets - 1))
    // UTF-8 continuation octets are 10xxxxxx.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    pieces.push(bytes.toString('utf8', start, end))
    start = end
  }
  return pieces.join('\r\n ')
}
