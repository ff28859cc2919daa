import type { CalendarView } from '../../../events/calendar/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { copyable, emptyState, inputField, notice, refusals, table } from '../../shared/elements.ts'
import { dayAndTime, fromNow } from '../../shared/format.ts'
import { eventViews, listPath, type Reader } from './event-list.ts'
import { filterChips } from './filter-form.ts'
import { type Asked, askedFilters, type Choices, chipsOf, filters, hrefWith, narrowing } from './filters.ts'

export type Subscriptions = Readonly<{
  asked: Asked
  choices: Choices
  calendars: readonly CalendarView[]
  /** The address that was just made: shown this once. */
  made?: Readonly<{ Name: string; Address: string }> | undefined
  name: string | undefined
  refused: readonly string[]
  formToken: Html
  reader: Reader
}>

export const subscribePath = `${listPath}/subscribe`

/** What the API keeps with an address: lists as lists, switches as switches. */
export function filtersBody(asked: Asked): Record<string, string | boolean | readonly string[] | undefined> {
  return Object.fromEntries(
    [...narrowing(asked)].map(([name, values]) => {
      const { kind } = filters[name]
      return [name, kind === 'many' ? values : kind === 'yes' ? true : values[0]]
    }),
  )
}

/** Private addresses for calendar programs, which cannot sign in. */
export function subscribeBody(page: Subscriptions): Html {
  return html`${eventViews('subscribe', page.asked)}
${page.made && madeNotice(page.made)}
${refusals(page.refused)}
<div class="cards">
<section class="card flow"><h2>A private address for your calendar</h2>
<p>A calendar program reads ex dates, deadlines and payments from it, always as they are that day. It needs no sign-in: whoever has the address can read, so treat it like a password, and withdraw it when it is no longer used.</p>
${makeForm(page)}</section>
<section class="card flow"><h2>How to subscribe</h2>
<dl class="facts stacked"><dt>Outlook</dt><dd>Add calendar, Subscribe from web, paste the address.</dd>
<dt>Google Calendar</dt><dd>Other calendars, From URL, paste the address.</dd>
<dt>Apple Calendar</dt><dd>File, New calendar subscription, paste the address.</dd>
<dt>Once only</dt><dd><a href="${hrefWith(`${listPath}.ics`, narrowing(page.asked))}" download="events.ics">Download the events as a file (.ics)</a>; it does not change by itself.</dd></dl></section>
</div>
${calendarList(page)}`
}

const madeNotice = ({ Name, Address }: { Name: string; Address: string }): Html =>
  notice(
    'good',
    html`<p><strong>The address of <bdi>${Name}</bdi> is made. Copy it now: it is not shown again.</strong></p><p>${copyable(Address, 'the address')}</p>`,
  )

function makeForm({ asked, choices, name, formToken }: Subscriptions): Html {
  const chips = filterChips(subscribePath, narrowing(asked), choices, {})
  return html`${chips ?? html`<p class="small quiet">With all events that you could list. Filter the <a href="${listPath}">list</a> first for fewer of them.</p>`}
<form class="flow" method="post" action="${subscribePath}">${formToken}
${[...narrowing(asked)].flatMap(([name, values]) => html`<input type="hidden" name="${name}" value="${values.join(',')}">`)}
${inputField('Name', 'Name of the calendar', name ?? 'Corporate actions', { attributes: html` maxlength="100" required` })}
<button class="button">Make an address</button></form>`
}

function calendarList({ calendars, choices, formToken, reader }: Subscriptions): Html {
  return html`<section class="flow"><h2>Addresses that are in use</h2>
${
  calendars.length === 0
    ? emptyState('You have no private address yet.', 'Those that you make are listed here, and can be withdrawn.')
    : table<CalendarView>(
        'Private calendar addresses',
        [
          { head: 'Name', isRowHead: true, cell: ({ Name }) => html`<bdi>${Name}</bdi>` },
          { head: 'Shows', cell: (calendar) => filterWords(calendar, choices) },
          { head: 'Made', cell: ({ CreatedAt }) => dayAndTime(CreatedAt, reader.zone) },
          { head: 'Last read', cell: ({ LastReadAt }) => (LastReadAt ? fromNow(LastReadAt, reader.now) : 'never') },
          {
            head: html`<span class="unseen">Withdraw</span>`,
            cell: ({ CalendarId, Name }) =>
              html`<form method="post" action="${subscribePath}/withdraw">${formToken}<button class="link" name="calendar" value="${CalendarId}">Withdraw<span class="unseen"> ${Name}</span></button></form>`,
          },
        ],
        calendars,
      )
}</section>`
}

/** The filters of an address in the words that the chips have. */
function filterWords({ Filters }: CalendarView, choices: Choices): string {
  const valuesOf = (name: string) => [(Filters as Record<string, unknown>)[name] ?? []].flat().map(String)
  const chips = chipsOf(askedFilters(valuesOf), choices).map(({ text }) => text)
  return chips.length === 0 ? 'all events' : chips.join(', ')
}
