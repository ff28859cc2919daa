import { type Static, Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { field } from '../api/fields.ts'
import { calendarName } from '../api/renderings.ts'
import { EventFilters, eventFilters } from '../api/schema.ts'

/** Per user. */
export const maxCalendars = 20

/** Unlike a query, a body may contain control characters; PostgreSQL rejects U+0000. */
const printable = { pattern: '^\\P{Cc}*$', expected: 'text without line breaks or other control characters' }
const Keywords = Type.Optional(Type.String({ ...eventFilters.Keywords, ...printable }))

export const NewCalendar = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 100,
      ...printable,
      default: calendarName,
      description: 'Name shown in calendar apps.',
    }),
    Filters: Type.Object(
      { ...eventFilters, Keywords },
      {
        title: 'CalendarFilters',
        additionalProperties: false,
        default: { IncludeLapsedEvents: false, IncludeSubAccounts: false },
        description: 'The filters of a list of events. Default: all events.',
      },
    ),
  },
  {
    title: 'NewCalendar',
    examples: [{ Name: 'Dividends', Filters: { EventTypes: ['DVCA'] } }],
    additionalProperties: false,
  },
)

const CalendarId = Type.String({ maxLength: 64, description: 'Id of the calendar. It is not part of the address.' })
const example = {
  CalendarId: '5b0c2f6ad1e84739a05b0c2f6ad1e847',
  Name: 'Dividends',
  Filters: { EventTypes: ['DVCA'], IncludeLapsedEvents: false, IncludeSubAccounts: false },
  CreatedAt: '2026-11-16T12:00:00.000000Z',
}
const view = {
  CalendarId,
  Name: Type.String({ description: 'Name shown in calendar apps.' }),
  Filters: describe(EventFilters, 'Filters of the events.'),
  CreatedAt: Type.String({ format: 'date-time', description: 'Time of creation.' }),
}

export const CreatedCalendar = Type.Object(
  {
    ...view,
    Address: describe(
      Type.String({ format: 'uri' }),
      'Address for calendar apps. Shown only once; anyone with it can read the calendar.',
    ),
  },
  {
    title: 'MadeCalendar',
    examples: [{ ...example, Address: 'http://localhost:4700/calendar/7f1c4e0a9b3d52687f1c4e0a9b3d5268.ics' }],
  },
)
export const CalendarView = Type.Object(
  {
    ...view,
    LastReadAt: field(
      Type.String({ format: 'date-time' }),
      'Time of the last read, accurate to a few minutes. Absent if it was never read.',
    ),
  },
  { title: 'Calendar', examples: [{ ...example, LastReadAt: '2026-11-16T12:05:00.000000Z' }] },
)
export type CalendarView = Static<typeof CalendarView>
export const CalendarsResponse = FeedOf(CalendarView)

export const CalendarParams = Type.Object({ CalendarId })
export const SubscriptionParams = Type.Object({
  File: Type.String({ description: 'The secret part of the `Address` and `.ics`.' }),
})
