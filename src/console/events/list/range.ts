import type { Event } from '../../../events/api/schema.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { eventsPath, type Feed, maxExported, orErrors } from '../event-data.ts'
import * as filtering from './filters.ts'

const ranges = [
  ['FromExDate', 'ToExDate'],
  ['FromDeadlineDate', 'ToDeadlineDate'],
  ['FromPayDate', 'ToPayDate'],
] as const satisfies readonly (readonly [filtering.FilterName, filtering.FilterName])[]

type Days = Readonly<{ start: string; end: string }>

/** Events with an ex date, a deadline or a payment in a range of days. One call per kind of date, because the API combines
 *  all its filters with AND. */
export async function readBetween(ctx: PageContext, filters: filtering.Filters, { start, end }: Days) {
  const { first, isDate, parametersOf } = filtering
  const outcomes = await Promise.all(
    ranges.map(([from, to]) => {
      // Date filters narrow the range. The API would reject an empty one.
      const days = { [from]: later(start, first(filters, from)), [to]: earlier(end, first(filters, to)) }
      const isEmpty = isDate(days[from]) && isDate(days[to]) && days[from] > days[to]
      const query = { ...parametersOf(filters), ...days, SortColumn: 'Date', SortType: 'Asc', $top: maxExported }
      return orErrors(
        isEmpty ? Promise.resolve({ Data: [] }) : ctx.api.getShared<Feed<Event>>(withQuery(eventsPath, query)),
      )
    }),
  )
  const feeds = outcomes.flatMap(({ body }) => body ?? [])
  const { status, errors } = outcomes.find((outcome) => outcome.status !== 200) ?? { status: 200, errors: [] }
  const events = [...new Map(feeds.flatMap(({ Data }) => Data).map((event) => [event.EventId, event])).values()]
  return { status, errors, events, isTruncated: feeds.some(({ __next }) => __next !== undefined) }
}

/** Invalid dates pass unchanged: the API explains what is wrong. */
const later = (day: string, other = day): string => (filtering.isDate(other) && other < day ? day : other)
const earlier = (day: string, other = day): string => (filtering.isDate(other) && other > day ? day : other)
