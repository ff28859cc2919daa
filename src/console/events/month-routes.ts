import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { choicesFor, eventsPath, type Feed, filtersOf, orApiError } from './event-data.ts'
import { maxExported } from './list/event-list.ts'
import { type FilterName, type Filters, first, isDate, parametersOf } from './list/filters.ts'
import { entriesIn } from './list/month-entries.ts'
import { monthBody, monthPath, monthTitle } from './list/month-page.ts'

export async function showMonth(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const wanted = ctx.query('month')
  const month = parseMonth(wanted) ?? ctx.today.toPlainYearMonth()
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readMonth(ctx, filters, month)])
  const feeds = found.flatMap((one) => (one instanceof ApiError ? [] : [one]))
  const error = found.find((one) => one instanceof ApiError)
  const isInvalid = wanted !== undefined && parseMonth(wanted) === undefined
  const day = ctx.query('day')
  const kept = { month: month.toString() }
  return ctx.render({
    title: `Corporate actions in ${monthTitle(month)}`,
    section: 'events',
    status: error?.status ?? (isInvalid ? 400 : 200),
    body: monthBody({
      month,
      entries: entriesIn(
        month,
        feeds.flatMap(({ Data }) => Data),
      ),
      form: { action: monthPath, filters, choices, top: undefined, hasOrder: false, kept },
      selectedDay: day !== undefined && isDayOf(month, day) ? day : undefined,
      isTruncated: feeds.some(({ __next }) => __next !== undefined),
      errors: [
        ...(isInvalid ? [`month: Enter a year and a month, such as ${month}.`] : []),
        ...(error?.messages ?? []),
      ],
      reader: ctx.reader,
    }),
  })
}

function parseMonth(text: string | undefined): Temporal.PlainYearMonth | undefined {
  if (text === undefined || !/^(19|2[01])\d\d-(0[1-9]|1[0-2])$/.test(text)) return undefined
  return Temporal.PlainYearMonth.from(text)
}

const isDayOf = (month: Temporal.PlainYearMonth, day: string): boolean =>
  isDate(day) && day.startsWith(`${month}-`) && Number(day.slice(8)) <= month.daysInMonth

const ranges = [
  ['FromExDate', 'ToExDate'],
  ['FromDeadlineDate', 'ToDeadlineDate'],
  ['FromPayDate', 'ToPayDate'],
] as const satisfies readonly (readonly [FilterName, FilterName])[]

/** One call per kind of date, because the API combines all its filters with AND. */
function readMonth(ctx: PageContext, filters: Filters, month: Temporal.PlainYearMonth) {
  const [start, end] = [`${month}-01`, `${month}-${month.daysInMonth}`]
  return Promise.all(
    ranges.map(([from, to]) => {
      // Date filters narrow the month. The API would reject an empty range.
      const days = { [from]: later(start, first(filters, from)), [to]: earlier(end, first(filters, to)) }
      if (isDate(days[from]) && isDate(days[to]) && days[from] > days[to]) return { Data: [] } as Feed<Event>
      const query = { ...parametersOf(filters), ...days, SortColumn: 'Date', SortType: 'Asc', $top: maxExported }
      return orApiError(ctx.api.get<Feed<Event>>(eventsPath, query))
    }),
  )
}

/** Invalid dates pass unchanged: the API explains what is wrong. */
const later = (day: string, other = day): string => (isDate(other) && other < day ? day : other)
const earlier = (day: string, other = day): string => (isDate(other) && other > day ? day : other)
