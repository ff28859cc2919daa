import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, orRefused } from './event-data.ts'
import { mostExported } from './list/event-list.ts'
import { type Asked, type FilterName, first, parametersOf } from './list/filters.ts'
import { entriesIn } from './list/month-entries.ts'
import { monthBody, monthPath, monthTitle } from './list/month-page.ts'

/** The month of ex dates, deadlines and payments, with the filters of the list. */
export async function showMonth(visit: Visit): Promise<FastifyReply> {
  const asked = filtersOf(visit)
  const wanted = visit.asked('month')
  const month = monthOf(wanted) ?? visit.now.toZonedDateTimeISO('UTC').toPlainDate().toPlainYearMonth()
  const [choices, found] = await Promise.all([choicesFor(visit, asked), readMonth(visit, asked, month)])
  const feeds = found.flatMap((one) => (one instanceof ApiRefusal ? [] : [one]))
  const refusal = found.find((one) => one instanceof ApiRefusal)
  const mistaken = wanted !== undefined && monthOf(wanted) === undefined ? [`month: Write it as ${month}.`] : []
  const day = visit.asked('day')
  return visit.show(
    {
      title: `Corporate actions in ${monthTitle(month)}`,
      place: 'events',
      body: monthBody({
        month,
        entries: entriesIn(
          month,
          feeds.flatMap(({ Data }) => Data),
        ),
        form: { action: monthPath, asked, choices, top: undefined, hasOrder: false, kept: { month: month.toString() } },
        chosen: day !== undefined && isDayOf(month, day) ? day : undefined,
        isCut: feeds.some(({ __next }) => __next !== undefined),
        refused: [...mistaken, ...(refusal?.sentences ?? [])],
        reader: { now: visit.now, zone: visit.zone },
      }),
    },
    { status: refusal?.status ?? (mistaken.length > 0 ? 400 : 200) },
  )
}

function monthOf(text: string | undefined): Temporal.PlainYearMonth | undefined {
  if (text === undefined || !/^(19|2[01])\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined
  return Temporal.PlainYearMonth.from(text)
}

const isDayOf = (month: Temporal.PlainYearMonth, day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && day.startsWith(`${month}-`) && Number(day.slice(8)) <= month.daysInMonth

const kinds = [
  ['FromExDate', 'ToExDate'],
  ['FromDeadlineDate', 'ToDeadlineDate'],
  ['FromPayDate', 'ToPayDate'],
] as const satisfies readonly (readonly [FilterName, FilterName])[]

/** The list takes all its filters together, so each kind of day is a question of its own. */
function readMonth(visit: Visit, asked: Asked, month: Temporal.PlainYearMonth) {
  const [start, end] = [`${month}-01`, `${month}-${month.daysInMonth}`]
  return Promise.all(
    kinds.map(([from, to]) => {
      // The days of a filter narrow the month; where they leave nothing of it the API would refuse.
      const days = { [from]: later(start, first(asked, from)), [to]: earlier(end, first(asked, to)) }
      if (isDay(days[from]) && isDay(days[to]) && days[from] > days[to]) return { Data: [] } as Feed<Event>
      const parameters = { ...parametersOf(asked), ...days, SortColumn: 'Date', SortType: 'Asc', $top: mostExported }
      return orRefused(visit.api.get<Feed<Event>>(eventsPath, parameters))
    }),
  )
}

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text)
/** What is no day goes to the API as it is, which says what is wrong with it. */
const later = (day: string, other = day): string => (isDay(other) && other < day ? day : other)
const earlier = (day: string, other = day): string => (isDay(other) && other > day ? day : other)
