import type { FastifyReply } from 'fastify'
import type { CalendarView } from '../../../events/calendar/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { isApiError } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { copyable, emptyState, errorNotice, hiddenText, notice, table } from '../../shared/elements.ts'
import { hiddenField, inputField, postLink } from '../../shared/fields.ts'
import { dayAndTime, fromNow } from '../../shared/format.ts'
import { choicesFor, type Feed } from '../event-data.ts'
import * as filtering from './filters.ts'
import { eventViews, listPath } from './views.ts'

/** `created` is the calendar that was just created; its URL is shown once. */
type Submitted = Readonly<{ created?: { Name: string; Address: string }; name?: string; errors?: readonly string[] }>
type Subscriptions = Awaited<ReturnType<typeof readSubscriptions>>

export const subscribePath = `${listPath}/subscribe`

export function calendarFilters(filters: filtering.Filters): Record<string, unknown> {
  return Object.fromEntries(
    [...filtering.withoutOrder(filters)].map(([name, values]) => {
      const { kind } = filtering.filterFields[name]
      return [name, kind === 'many' ? values : kind === 'flag' ? true : values[0]]
    }),
  )
}

function subscribeBody(page: Subscriptions): Html {
  const { filters, created, errors = [], host } = page
  const isReachable = !isPrivateHost(host)
  const download = html`<a href="${filtering.hrefWith(`${listPath}.ics`, filtering.withoutOrder(filters))}" download="events.ics">Download the events (.ics)</a>`
  return html`${created && createdNotice(created)}
${errorNotice(errors)}
<div class="cards">
<section class="card flow"><h2>Private calendar URL</h2>
<p>Calendar programs read ex dates, deadlines and payments from it and stay up to date. It works without a sign-in: anyone with the URL can read the events, so treat it like a password and revoke it when you no longer use it.</p>
${createForm(page)}</section>
<section class="card flow"><h2>How to subscribe</h2>
<dl class="facts stacked"><dt>Google Calendar</dt><dd>${isReachable ? 'Other calendars, From URL, paste the URL.' : html`Google reads calendars from its own servers, which cannot reach <strong>${host}</strong>. Import the file below, or run the service under a public address (<code>PUBLIC_URL</code>).`}</dd>
<dt>Outlook</dt><dd>Add calendar, Subscribe from web, paste the URL.${!isReachable && ' Outlook on the web cannot reach this service either.'}</dd>
<dt>Apple Calendar</dt><dd>File, New Calendar Subscription, paste the URL.</dd>
<dt>Without a subscription</dt><dd>${download}. The file is not updated.</dd></dl></section>
</div>
${calendarList(page)}`
}

/** Calendar programs open it by themselves. */
const webcalOf = (address: string): string => address.replace(/^https?:/, 'webcal:')

const createdNotice = ({ Name, Address }: { Name: string; Address: string }): Html =>
  notice(
    'good',
    html`<p><strong>Calendar URL for <bdi>${Name}</bdi> created. Copy it now: it is not shown again.</strong></p><p>${copyable(Address, 'the URL')}</p>
<p><a class="button plain" href="${webcalOf(Address)}">Open in your calendar program</a></p>`,
  )

function createForm({ filters, choices, name, formToken }: Subscriptions): Html {
  const shown = filtering.withoutOrder(filters)
  const chips = filtering.filterChips(subscribePath, { filters: shown, choices })
  return html`${chips ?? html`<p class="small quiet">Includes all your events. To include only some of them, filter the <a href="${listPath}">list</a> first.</p>`}
<form class="flow" method="post" action="${subscribePath}">${formToken}
${[...shown].map(([name, values]) => hiddenField(name, values.join(',')))}
${inputField('Name', 'Calendar name', name ?? 'Corporate actions', { attributes: html` maxlength="100" required` })}
<button class="button">Create URL</button></form>`
}

function calendarList({ calendars, choices, formToken, reader }: Subscriptions): Html {
  const revoke = ({ CalendarId, Name }: CalendarView) =>
    postLink(`${subscribePath}/withdraw`, formToken, 'Revoke', Name, ['calendar', CalendarId])
  const list = table<CalendarView>(
    'Private calendar URLs',
    [
      ['Name', ({ Name }) => html`<bdi>${Name}</bdi>`, 'name'],
      ['Filters', (calendar) => filterText(calendar, choices)],
      ['Created', ({ CreatedAt }) => dayAndTime(CreatedAt, reader.zone)],
      ['Last read', ({ LastReadAt }) => (LastReadAt ? fromNow(LastReadAt, reader.now) : 'never')],
      [hiddenText('Revoke'), revoke],
    ],
    calendars,
  )
  return html`<section class="flow"><h2>Your calendar URLs</h2>
${calendars.length === 0 ? emptyState('No calendar URLs.', 'URLs that you create appear here and can be revoked.') : list}</section>`
}

function filterText({ Filters }: CalendarView, choices: filtering.Choices): string {
  const valuesOf = (name: string) => [(Filters as Record<string, unknown>)[name] ?? []].flat().map(String)
  const chips = filtering.chipsOf(filtering.parseFilters(valuesOf), choices).map(({ text }) => text)
  return chips.length === 0 ? 'all events' : chips.join(', ')
}

const path = '/x/v1/calendars'

export async function showSubscriptions(
  ctx: PageContext,
  filters: filtering.Filters,
  submitted?: Submitted,
  status = 200,
) {
  const body = subscribeBody(await readSubscriptions(ctx, filters, submitted))
  const aside = eventViews('subscribe', filters)
  return ctx.render({ title: 'Calendar feed', status, aside, body })
}

async function readSubscriptions(ctx: PageContext, filters: filtering.Filters, submitted: Submitted = {}) {
  const [choices, calendars] = await Promise.all([choicesFor(ctx, filters), ctx.api.get<Feed<CalendarView>>(path)])
  const host = new URL(ctx.deps.publicUrl).hostname
  return {
    ...submitted,
    host,
    filters,
    choices,
    calendars: calendars.Data,
    formToken: ctx.formToken,
    reader: ctx.reader,
  }
}

/** Not a redirect, because the URL is shown only once. */
export async function createCalendar(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const filters = filtering.parseFilters((name) => form.getAll(name))
  const name = form.get('Name') ?? ''
  try {
    const body = { Name: name, Filters: calendarFilters(filters) }
    const created = await ctx.api.send<{ Name: string; Address: string }>('POST', path, body)
    return await showSubscriptions(ctx, filters, { created })
  } catch (error) {
    if (!isApiError(error, 400, 404, 409)) throw error
    return showSubscriptions(ctx, filters, { name, errors: error.messages }, error.status)
  }
}

export async function revokeCalendar(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('DELETE', `${path}/${encodeURIComponent(form.get('calendar') ?? '')}`)
  return ctx.redirect(subscribePath)
}

/** Whether a host name of a URL leads to this machine or a private network (RFC 1918, RFC 4193, RFC 6762): nothing on the
 *  Internet can reach it. */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (name.includes(':')) return /^(::1?$|f[cd]|fe[89ab])/.test(name)
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return isPrivateAddress(name.split('.').map(Number))
  return !name.includes('.') || /\.(localhost|local|internal|lan|home\.arpa|test)$/.test(name)
}

function isPrivateAddress([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127) return true
  if (a === 172) return b >= 16 && b < 32
  if (a === 100) return b >= 64 && b < 128
  return (a === 192 && b === 168) || (a === 169 && b === 254)
}
