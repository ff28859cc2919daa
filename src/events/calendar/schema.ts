import { type Static, Type } from 'typebox'
import { describe } from '../../core/schema.ts'
import { FeedOf } from '../../http/output/feed.ts'
import { calendarName } from '../api/renderings.ts'
import { EventFilters, eventFilters } from '../api/schema.ts'

/** What one user may have at a time. */
export const maxCalendars = 20

/** Unlike those of a query, texts of a body may hold anything, and the database cannot keep U+0000. */
const printable = { pattern: '^\\P{Cc}*$' }
const Keywords = Type.Optional(Type.String({ ...eventFilters.Keywords, ...printable }))

/** POST /x/v1/calendars. */
export const NewCalendar = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 100,
      ...printable,
      default: calendarName,
      description: 'What calendar programs call it.',
    }),
    Filters: Type.Object(
      { ...eventFilters, Keywords },
      {
        title: 'CalendarFilters',
        additionalProperties: false,
        default: { IncludeLapsedEvents: false, IncludeSubAccounts: false },
        description: 'What a list of events can be narrowed by (7); without them all that it has.',
      },
    ),
  },
  {
    title: 'NewCalendar',
    examples: [{ Name: 'Dividends', Filters: { EventTypes: ['DVCA'] } }],
    additionalProperties: false,
  },
)

const CalendarId = Type.String({ maxLength: 64, description: 'Its id, which is no part of the address.' })
const example = {
  CalendarId: '5b0c2f6ad1e84739a05b0c2f6ad1e847',
  Name: 'Dividends',
  Filters: { EventTypes: ['DVCA'], IncludeLapsedEvents: false, IncludeSubAccounts: false },
  CreatedAt: '2026-11-16T12:00:00.000000Z',
}
const view = {
  CalendarId,
  Name: Type.String({ description: 'What calendar programs call it.' }),
  Filters: describe(EventFilters, 'What the events are narrowed by.'),
  CreatedAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
}

/** The address is told once, when it is made. */
export const MadeCalendar = Type.Object(
  {
    ...view,
    Address: Type.String({
      format: 'uri',
      description: 'For calendar programs. Told this once; whoever has it can read.',
    }),
  },
  {
    title: 'MadeCalendar',
    examples: [{ ...example, Address: 'http://localhost:4700/calendar/7f1c4e0a9b3d52687f1c4e0a9b3d5268.ics' }],
  },
)
export const CalendarView = Type.Object(
  {
    ...view,
    LastReadAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was last read, to a few minutes; absent before that.' }),
    ),
  },
  { title: 'Calendar', examples: [{ ...example, LastReadAt: '2026-11-16T12:05:00.000000Z' }] },
)
export type CalendarView = Static<typeof CalendarView>
export const CalendarsResponse = FeedOf(CalendarView)

export const CalendarParams = Type.Object({ CalendarId })
/** GET /calendar/{File}. */
export const SubscriptionParams = Type.Object({
  File: Type.String({ description: 'The secret part of the `Address` that was told when it was made, and `.ics`.' }),
})
