import { dayText } from '../../../core/time/days.ts'
import { offsetAt, wallClock } from '../../../core/time/wall-clock.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { MarketSession } from '../../exchanges/rules/market-status.ts'
import type { Zones } from '../../exchanges/status.ts'
import { emptyState, table, tag } from '../../shared/elements.ts'
import { day, dayOf, daysFromToday, two, weekdayName, zoneName } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'
import { notesIn, type SpecialDay } from './holidays.ts'
import { haveSameClock } from './state.ts'
import { weekChart, weekLegend } from './week.ts'

/** The week at the exchange, with the hours of the exchange and of the reader on one axis. */
export function weekCard(
  name: string,
  sessions: readonly MarketSession[],
  special: readonly SpecialDay[],
  now: Temporal.Instant,
  { reader, exchange }: Zones,
): Html {
  const isSame = haveSameClock(exchange, reader, [now, ...sessions.map(({ end }) => end)])
  const last = sessions.at(-1)?.end ?? now
  return html`<section class="card flow"><h2>Week <span class="quiet small">${clockText(exchange, now)}${!isSame && html` · you: ${clockText(reader, now)}`}</span></h2>
${weekChart({
  caption: `Trading hours of ${name} in ${zoneName(exchange)} time${isSame ? '' : ` and ${zoneName(reader)} time`}`,
  sessions,
  zone: exchange,
  second: isSame ? undefined : reader,
  now,
  notes: nearNotes(special, now, exchange),
})}
${!isSame && differenceAt(last, reader, exchange) !== differenceAt(now, reader, exchange) && html`<p class="small quiet">Clocks change this week, at different times in the two zones: the hours of ${zoneName(reader)} are those of today.</p>`}
${weekLegend(sessions)}</section>`
}

const differenceAt = (at: Temporal.Instant, one: string, other: string): number =>
  offsetAt(at, one) - offsetAt(at, other)

/** `New York, UTC−05:00` */
function clockText(zone: string, now: Temporal.Instant): string {
  return zoneName(zone) === 'UTC' ? 'UTC' : `${zoneName(zone)}, UTC${offsetText(offsetAt(now, zone))}`
}

/** `−05:00` */
function offsetText(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000)
  return `${milliseconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const notes = new Remembered<ReadonlyMap<string, string>>()

/** Of this week. Two extra days on both sides, because the date at the exchange may be another. */
function nearNotes(
  special: readonly SpecialDay[],
  now: Temporal.Instant,
  exchangeZone: string,
): ReadonlyMap<string, string> {
  const { dayNumber } = wallClock(now, 'UTC')
  return notes.get(special, [dayNumber, exchangeZone], () => {
    const [first, last] = [dayText(dayNumber - 2), dayText(dayNumber + 9)]
    const near = special.filter(({ date }) => date >= first && date <= last)
    return notesIn(near, exchangeZone, exchangeZone)
  })
}

const maxDays = 12
const tables = new Remembered<Html>()

export function specialDayTable(special: readonly SpecialDay[], exchangeZone: string, now: Temporal.Instant): Html {
  const { date, dayNumber } = wallClock(now, exchangeZone)
  return tables.get(special, [dayNumber], () => tableFrom(date, special))
}

function tableFrom(today: Temporal.PlainDate, special: readonly SpecialDay[]): Html {
  const coming = special.filter(({ date }) => date >= today.toString()).slice(0, maxDays)
  if (coming.length === 0) return emptyState('No upcoming holidays.', 'The hours above apply every week.')
  return table<SpecialDay>(
    'Upcoming holidays and short days',
    [
      ['Date', ({ date }) => html`${weekdayName(dayOf(date))} ${day(date)}`, 'name'],
      ['Name', ({ name }) => html`<bdi>${name}</bdi>`],
      ['Exchange', ({ at }) => (at ? tag(`${at.verb} ${at.time}`) : tag('closed', 'warn'))],
      ['When', ({ date }) => daysFromToday(today, dayOf(date))],
    ],
    coming,
  )
}
