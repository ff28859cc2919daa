import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { exceptionsOf, sessionsOfDay } from '../../src/instruments/rules/trading-day.ts'
import { demoExchanges } from '../support/demo.ts'

/**
 * node test/calendars/compare.ts FILE [--each]: compares the demo exchanges with a file of real sessions (CSV, also gzipped, with
 * the columns calendar, session, open_utc, close_utc, break_start_utc, break_end_utc) and lists the differences
 * with their reasons. Exits with 1 if a difference has no reason.
 */
type Exchange = Awaited<ReturnType<typeof demoExchanges>>[number]
type Day = Readonly<{ open: string; close: string; pause: string }>
type Difference = Readonly<{ exchange: string; date: string; what: string; theirs: string; ours: string }>
type Reason = Readonly<{
  exchanges: string[]
  what: string
  theirs: string
  ours: string
  on?: string[]
  why: string
}>

const futures = ['CME', 'CBOT', 'NYMEX', 'COMEX']
const thinEves = ['2026-11-27', '2026-12-24', '2027-11-26']
const halfHolidays =
  '2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-11-26 2027-01-18 2027-02-15 2027-05-31 2027-06-18 2027-07-05 2027-09-06 2027-11-25'
const dailyPause = 'Globex pauses from 16:00 to 17:00 every day; the file lets one day run into the next.'
const jobsReport = 'The jobs report came out on Good Friday: financial futures traded until shortly after it.'
const summerOfB3 =
  'B3 closes with New York, an hour earlier while New York has summer time; the file keeps to the winter.'
const extendedEurex =
  'Index futures open with Asia, at 01:10 in winter and 02:10 in summer; the file has the other products.'
const singaporeHalfDay = 'Singapore trades the morning only on this eve; the file has no half days for it.'

const londonDays = 'Days of crypto assets change at midnight in London; in the file they change at midnight UTC.'

/** The intended differences, as specific as possible, in local time. */
const reasons: readonly Reason[] = [
  { exchanges: ['CRYPTO'], what: 'open', theirs: '01:00', ours: '00:00', why: londonDays },
  { exchanges: ['CRYPTO'], what: 'close', theirs: '01:00 day +1', ours: '00:00 day +1', why: londonDays },
  { exchanges: futures, what: 'close', theirs: '17:00', ours: '16:00', why: dailyPause },
  {
    exchanges: ['CME', 'CBOT'],
    what: 'close',
    theirs: '12:00',
    ours: '12:15',
    on: thinEves,
    why: 'Financial futures close at 12:15 on the day after Thanksgiving and on Christmas Eve.',
  },
  {
    exchanges: ['NYMEX', 'COMEX'],
    what: 'close',
    theirs: '12:00',
    ours: '12:45',
    on: thinEves,
    why: 'Energy and metals close at 12:45 on the day after Thanksgiving and on Christmas Eve.',
  },
  {
    exchanges: ['NYMEX', 'COMEX'],
    what: 'close',
    theirs: '12:00',
    ours: '13:30',
    on: halfHolidays.split(' '),
    why: 'Energy and metals halt at 13:30 on federal holidays; the file has the hours of share indices.',
  },
  { exchanges: ['CME', 'CBOT'], what: 'day', theirs: 'closed', ours: 'open', on: ['2026-04-03'], why: jobsReport },
  { exchanges: ['BVMF'], what: 'close', theirs: '18:00', ours: '17:00', why: summerOfB3 },
  { exchanges: ['EUREX'], what: 'open', theirs: '08:00', ours: '01:10', why: extendedEurex },
  { exchanges: ['EUREX'], what: 'open', theirs: '08:00', ours: '02:10', why: extendedEurex },
  {
    exchanges: ['SGX'],
    what: 'break',
    theirs: 'none',
    ours: '12:00-13:00',
    why: 'Singapore has had a midday break again since 13 November 2017; the file has none.',
  },
  {
    exchanges: ['SGX'],
    what: 'close',
    theirs: '17:00',
    ours: '12:00',
    on: ['2026-02-16', '2026-12-24', '2026-12-31'],
    why: singaporeHalfDay,
  },
]

/** Calendars that also apply to exchanges other than the one whose MIC they are named after. */
const alsoOf: Readonly<Record<string, string[]>> = {
  XNYS: ['NASDAQ', 'NYSE_ARCA', 'CBOE'],
  CMES: futures,
  '24/7': ['CRYPTO'],
}

type Rows = ReadonlyMap<string, readonly Record<string, string>[]>

function readRows(file: string): Rows {
  const bytes = readFileSync(file)
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const names = header.split(',')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])))
  return Map.groupBy(rows, ({ calendar = '' }) => calendar)
}

/** The local time, and its distance in days from the trading day if that is another day. */
function onClock(zone: string, at: Temporal.Instant, date: string): string {
  const local = at.toZonedDateTimeISO(zone)
  const { days } = Temporal.PlainDate.from(date).until(local.toPlainDate())
  return local.toPlainTime().toString().slice(0, 5) + (days === 0 ? '' : ` day ${days > 0 ? '+' : ''}${days}`)
}

function theirDay(row: Record<string, string>, zone: string): Day {
  const clock = (column: string) => onClock(zone, Temporal.Instant.from(row[column] ?? ''), row.session ?? '')
  const pause = row.break_start_utc ? `${clock('break_start_utc')}-${clock('break_end_utc')}` : 'none'
  return { open: clock('open_utc'), close: clock('close_utc'), pause }
}

function ourDay(exchange: Exchange, date: string): Day | undefined {
  const sessions = sessionsOfDay(exchange, exceptionsOf(exchange), Temporal.PlainDate.from(date))
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (!first || !last) return undefined
  const clock = (at: number) => onClock(exchange.TimeZone, Temporal.Instant.fromEpochMilliseconds(at), date)
  const pauses = sessions
    .filter(({ state }) => state === 'Break')
    .map(({ start, end }) => `${clock(start)}-${clock(end)}`)
  return { open: clock(first.start), close: clock(last.end), pause: pauses.join(' ') || 'none' }
}

/** Every day of the years in the calendar. */
function daysOf(rows: readonly Record<string, string>[]): string[] {
  const sessions = rows.map(({ session = '' }) => session).sort()
  const first = Temporal.PlainDate.from(`${sessions[0]?.slice(0, 4)}-01-01`)
  const last = Temporal.PlainDate.from(`${sessions.at(-1)?.slice(0, 4)}-12-31`)
  return Array.from({ length: first.until(last).days + 1 }, (_, days) => first.add({ days }).toString())
}

function differencesOf(exchange: Exchange, rows: readonly Record<string, string>[]): Difference[] {
  const byDate = new Map(rows.map((row) => [row.session, row]))
  return daysOf(rows).flatMap((date) => {
    const row = byDate.get(date)
    const [theirs, ours] = [row && theirDay(row, exchange.TimeZone), ourDay(exchange, date)]
    const at = { exchange: exchange.ExchangeId, date }
    if (!theirs && !ours) return []
    if (!theirs || !ours)
      return [{ ...at, what: 'day', theirs: theirs ? 'open' : 'closed', ours: ours ? 'open' : 'closed' }]
    return [
      { ...at, what: 'open', theirs: theirs.open, ours: ours.open },
      { ...at, what: 'close', theirs: theirs.close, ours: ours.close },
      { ...at, what: 'break', theirs: theirs.pause, ours: ours.pause },
    ].filter((difference) => difference.theirs !== difference.ours)
  })
}

function reasonFor({ exchange, date, what, theirs, ours }: Difference): string | undefined {
  return reasons.find(
    (reason) =>
      reason.exchanges.includes(exchange) &&
      reason.what === what &&
      reason.theirs === theirs &&
      reason.ours === ours &&
      (reason.on === undefined || reason.on.includes(date)),
  )?.why
}

/** Groups equal differences on one line, with their days, or the first and last of many. */
function print(differences: readonly Difference[], isEach: boolean): void {
  const alike = Map.groupBy(differences, (one) =>
    [one.exchange, one.what, one.theirs, one.ours, reasonFor(one)].join('|'),
  )
  for (const group of alike.values()) {
    const [first] = group
    if (!first) continue
    const dates = group.map(({ date }) => date)
    const days = isEach || dates.length <= 8 ? dates.join(' ') : `${dates[0]} to ${dates.at(-1)}`
    console.log(
      `${first.exchange} ${first.what}: file ${first.theirs}, ours ${first.ours} on ${dates.length} days: ${days}`,
    )
    console.log(`  ${reasonFor(first) ?? 'NO REASON'}`)
  }
}

async function compare(file: string, isEach: boolean): Promise<number> {
  const rows = readRows(file)
  const firstDay = [...rows.values()]
    .flat()
    .reduce((least, { session = '' }) => (session < least ? session : least), '9')
  const exchanges = await demoExchanges(`${firstDay.slice(0, 4)}-11-15`)
  const differences: Difference[] = []
  for (const [calendar, sessions] of rows) {
    const mapped = exchanges.filter((one) => one.Mic === calendar || alsoOf[calendar]?.includes(one.ExchangeId))
    const found = mapped.flatMap((exchange) => differencesOf(exchange, sessions))
    const names = mapped.map(({ ExchangeId }) => ExchangeId).join(', ') || 'none of ours'
    console.log(`${calendar} (${names}): ${sessions.length} sessions, ${found.length} differences`)
    differences.push(...found)
  }
  print(differences, isEach)
  const unexplained = differences.filter((one) => reasonFor(one) === undefined).length
  console.log(`${differences.length} differences, ${unexplained} without a reason`)
  return unexplained
}

const [file, ...options] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the file: node test/calendars/compare.ts FILE [--each]')
  process.exitCode = 2
} else if ((await compare(file, options.includes('--each'))) > 0) process.exitCode = 1
