import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import { isApiError, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, emptyState, errorNotice, hiddenText, pageLinks, table } from '../shared/elements.ts'
import { type Choice, hiddenField, inputField, selectField } from '../shared/fields.ts'
import { apiPath, entryPath, type LoggedRequest, listPath, type Names, noNames, readNames } from './data.ts'
import { nameOf, statusTag, timeCell } from './elements.ts'

const pageSize = 50

type Filters = Readonly<Record<'Status' | 'AppKey' | 'Path' | 'Console', string>>
type Loaded = Readonly<{ rows: readonly LoggedRequest[]; next: string | undefined; errors: readonly string[] }>

const filtersOf = (ctx: PageContext): Filters => ({
  Status: ctx.query('Status')?.trim() ?? '',
  AppKey: ctx.query('AppKey') ?? '',
  Path: ctx.query('Path')?.trim() ?? '',
  Console: ctx.query('Console') === 'show' ? 'show' : '',
})

/** Someone who looks for the console by name wants to see it. */
const callOf = (ctx: PageContext, { Console, ...filters }: Filters, cursor: string | undefined): string => {
  const isShown = Console === 'show' || filters.AppKey === ctx.deps.appKey
  const page = { $top: pageSize, $skiptoken: cursor, Since: ctx.query('Since') }
  return withQuery(apiPath, { ...filters, WithoutConsole: isShown ? undefined : true, ...page })
}

export async function showRequests(ctx: PageContext): Promise<FastifyReply> {
  const filters = filtersOf(ctx)
  const cursor = ctx.query('$skiptoken')
  const call = callOf(ctx, filters, cursor)
  const loaded = await readRows(ctx, call)
  // The live list requests the new rows alone. Most of the time there are none.
  const isPartial = ctx.request.headers['x-part'] === 'rows'
  const names = isPartial && loaded.rows.length === 0 ? noNames : await readNames(ctx)
  const rows = requestRows(ctx, loaded, names)
  const status = loaded.errors.length > 0 ? 400 : 200
  if (isPartial)
    return ctx.reply
      .code(status)
      .headers(pageHeaders({ scripts: true }))
      .send(rows.toString())
  const first = withQuery(listPath, filters)
  const isFirst = cursor === undefined && status === 200
  return ctx.render({
    title: 'Request log',
    status,
    aside: isFirst ? html`<div data-live="${first}" class="live row" hidden></div>` : undefined,
    body: html`${filterForm(filters, names)}${errorNotice(loaded.errors)}${rows}
<p class="hint">The latest requests of your apps and users that this node has answered, newest first, in ${ctx.zone}. ${filters.Console === '' && 'Those of the console are hidden. '}They are kept in memory, without secrets.</p>
${pageLinks({ Newer: first, Older: loaded.next && withQuery(listPath, { ...filters, $skiptoken: loaded.next }) })}${apiCalls(call)}`,
    scripts: isFirst ? ['requests.js'] : [],
  })
}

async function readRows(ctx: PageContext, call: string): Promise<Loaded> {
  try {
    const { Data, __next } = await ctx.api.get<{ Data: LoggedRequest[]; __next?: string }>(call)
    const next = __next === undefined ? undefined : (new URL(__next).searchParams.get('$skiptoken') ?? undefined)
    return { rows: Data, next, errors: [] }
  } catch (error) {
    if (!isApiError(error, 400)) throw error
    return { rows: [], next: undefined, errors: error.messages }
  }
}

function filterForm(filters: Filters, { apps }: Names): Html {
  const { Status, AppKey, Path, Console } = filters
  const known: Choice[] = [...apps]
  const other: Choice[] = AppKey === '' || apps.has(AppKey) ? [] : [[AppKey, AppKey]]
  const choices = [['', 'All apps'] as const, ...known, ...other]
  return html`<form class="toolbar" action="${listPath}" aria-label="Filters">
${inputField('Path', 'Path or query contains', Path, { type: 'search', attributes: html` maxlength="200" autocomplete="off" spellcheck="false" placeholder="Path or query contains"` })}
${inputField('Status', 'Status', Status, { attributes: html` maxlength="3" autocomplete="off" placeholder="Status: 4xx, 404"` })}
${selectField('AppKey', 'App', choices, AppKey)}
${Console !== '' && hiddenField('Console', Console)}<button class="button plain">Filter</button>
${statusChips(filters)}</form>`
}

const statuses = [
  ['All', ''],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
] as const

/** One click each. The last one adds the requests of the console, which are most of them while it is open. */
function statusChips(filters: Filters): Html {
  const chip = (name: string, more: Partial<Filters>, isOn: boolean, spoken: string) =>
    html`<a class="chip-button" href="${withQuery(listPath, { ...filters, ...more })}"${isOn && html` aria-current="true"`}>${hiddenText(spoken)}${name}</a>`
  const { Status, Console } = filters
  const isShown = Console === 'show'
  return html`<div class="chips" role="group" aria-label="Quick filters">${statuses.map(([name, value]) =>
    chip(name, { Status: value }, Status.toLowerCase() === value, 'Status: '),
  )}${chip('Console', { Console: isShown ? '' : 'show' }, isShown, isShown ? 'Hide the requests of the ' : 'Show the requests of the ')}</div>`
}

const nothing = emptyState(
  'No requests.',
  'Requests appear here as soon as they are answered. Check the filters, or send one.',
)

/** `data-newest` is where the next look continues; `data-more` says that there are rows between these and the ones before. */
function requestRows({ zone }: PageContext, { rows, next }: Loaded, names: Names): Html {
  const [newest] = rows
  return html`<section id="rows" class="requests" aria-label="Requests" data-newest="${newest?.Id}"${next !== undefined && html` data-more`}>${
    newest ? requestTable(rows, names, zone) : nothing
  }</section>`
}

const requestTable = (rows: readonly LoggedRequest[], { apps, users }: Names, zone: string): Html =>
  table<LoggedRequest>(
    `Requests, times in ${zone}`,
    [
      ['Time', ({ Time }) => timeCell(Time, zone)],
      ['Status', ({ Status }) => statusTag(Status)],
      ['Method', ({ Method }) => html`<span class="num">${Method}</span>`],
      ['Path', pathCell, 'name'],
      ['ms', ({ Milliseconds }) => Milliseconds.toFixed(1), 'figure'],
      ['App', ({ AppKey }) => nameOf(apps, AppKey)],
      ['User', ({ UserKey }) => nameOf(users, UserKey)],
    ],
    rows,
  )

/** Path and query, and below it why the request failed. */
const pathCell = ({ Id, Path, Fault, Reason }: LoggedRequest): Html =>
  html`<a class="num" href="${entryPath(Id)}">${Path}</a>${
    (Fault ?? Reason) !== undefined &&
    html`<span class="reason">${[Fault && `Injected fault ${Fault}.`, Reason].filter(Boolean).join(' ')}</span>`
  }`
