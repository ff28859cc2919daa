import type { FastifyReply } from 'fastify'
import type { AccessView, ClientAccessRow, UserAccessRow } from '../../access/api/operator-schema.ts'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import { isApiError, withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import {
  apiCalls,
  type Column,
  copyValue,
  emptyState,
  errorNotice,
  hiddenText,
  pageLinks,
  table,
  tabs,
  tag,
} from '../shared/elements.ts'
import { dayAndTime } from '../shared/format.ts'
import { clientsPath, userHref, usersPath } from './paths.ts'
import { cellOf, columns, type Column as MatrixColumn } from './rules/matrix.ts'

const pageSize = 50
const maxKeywords = 100
const maxAccounts = 1

type View<Row> = Readonly<{
  name: string
  path: string
  call: string
  caption: string
  head(ctx: PageContext): Column<Row>[]
}>

export const showUsers = (ctx: PageContext): Promise<FastifyReply> => showMatrix(ctx, users)
export const showClients = (ctx: PageContext): Promise<FastifyReply> => showMatrix(ctx, clients)

const users: View<UserAccessRow> = {
  name: 'Users',
  path: usersPath,
  call: '/x/v1/users',
  caption: 'Users by name, with what they see and trade',
  head: ({ zone }) => [
    ['User', userCell, 'name'],
    [
      'Client',
      ({ ClientId, ClientName }) => html`<bdi>${ClientName}</bdi> <br><span class="num quiet">${ClientId}</span>`,
    ],
    [
      'Last sign-in',
      ({ LastLoginTime }) =>
        html`<span class="quiet">${LastLoginTime === undefined ? 'never' : dayAndTime(LastLoginTime, zone)}</span>`,
    ],
  ],
}

const userCell = (user: UserAccessRow): Html =>
  html`<a href="${userHref(user.UserKey)}"><bdi>${user.Name}</bdi></a> ${userTags(user)}${keyLine(user.UserKey, 'UserKey')}`

const keyLine = (key: string, what: string): Html => html`<br>${copyValue(key, what)}`

export const userTags = ({ Operator, Disabled, HasOwnRights }: UserAccessRow): Html =>
  html`${Operator && tag('operator', 'accent')}${Disabled && tag('disabled', 'warn')}${HasOwnRights && tag('own rights')}`

const clients: View<ClientAccessRow> = {
  name: 'Clients',
  path: clientsPath,
  call: '/x/v1/clients',
  caption: 'Clients by id, with what their users see and trade',
  head: () => [
    ['Client', clientCell, 'name'],
    ['Accounts', accountsCell],
    [
      'Users',
      ({ UserCount, ClientId }) =>
        UserCount === 0
          ? '0'
          : html`<a href="${withQuery(usersPath, { Keywords: ClientId })}">${UserCount}${hiddenText(` of ${ClientId}`)}</a>`,
      'figure',
    ],
  ],
}

const clientCell = ({ ClientId, ClientKey, Name, OwnerClientId }: ClientAccessRow): Html =>
  html`<bdi>${Name}</bdi> <span class="num quiet">${ClientId}</span>${OwnerClientId !== undefined && html` <span class="quiet">below ${OwnerClientId}</span>`}${keyLine(ClientKey, 'ClientKey')}`

function accountsCell({ AccountIds, AccountCount }: ClientAccessRow): Html {
  const shown = AccountIds.slice(0, maxAccounts)
  const more = AccountCount - shown.length
  const title = `${AccountIds.join(', ')}${AccountCount > AccountIds.length ? ', …' : ''}`
  return html`<span title="${title}"><span class="num">${shown.join(', ')}</span>${more > 0 && html` <span aria-hidden="true">+${more}</span>${hiddenText(`and ${more} more`)}`}${AccountCount === 0 && 'none'}</span>`
}

export const marks = { Trade: ['●', 'trades'], View: ['✓', 'sees'] } as const

/** A mark, the limits of what it stands for, and both in words. */
function matrixCell(access: readonly AccessView[], column: MatrixColumn): Html {
  const cell = cellOf(access, column)
  if (!cell) return html`<span class="unseen nothing">nothing</span>`
  const [mark, word] = marks[cell.level]
  const limits = cell.limits.join('; ')
  return html`<span class="mark ${cell.level.toLowerCase()}" data-column="${column.name}"${limits && html` title="${word}: ${limits}"`}><span aria-hidden="true">${mark}${limits && html` <small>some</small>`}</span>${hiddenText(limits ? `${word}: ${limits}` : word)}</span>`
}

type Rows<Row> = Readonly<{ rows: readonly Row[]; next: string | undefined; errors: readonly string[] }>

async function showMatrix<Row extends { Access: readonly AccessView[] }>(
  ctx: PageContext,
  view: View<Row>,
): Promise<FastifyReply> {
  const keywords = (ctx.query('Keywords') ?? '').trim()
  const cursor = ctx.query('$skiptoken')
  const call = withQuery(view.call, { Keywords: keywords, $top: pageSize, $skiptoken: cursor })
  const { rows, next, errors } = await readRows<Row>(ctx, call)
  const head = view.head(ctx)
  const marks = columns.map((column): Column<Row> => [column.name, ({ Access }) => matrixCell(Access, column)])
  const page = (skiptoken?: string) => withQuery(view.path, { Keywords: keywords, $skiptoken: skiptoken })
  return ctx.render({
    title: 'Users and rights',
    section: usersPath,
    status: errors.length > 0 ? 400 : 200,
    body: html`<div class="rights-bar">${viewTabs(view.name, keywords)}${searchForm(view, keywords)}</div>
${errorNotice(errors)}
${rows.length > 0 ? html`<div class="rights">${table<Row>(view.caption, [...head, ...marks], rows)}</div>${legend}` : errors.length === 0 && nothing(view, keywords)}
${pageLinks({ 'First page': cursor !== undefined && page(), 'Next page': next !== undefined && page(next) }, { text: html`<span class="quiet">${plural(rows.length, 'row')} on this page</span>` })}
<p class="hint">To make a user an operator: <code>refdesk users operator NAME</code> (<code>--off</code> undoes it). The user signs in again to see it in the menu.</p>
${apiCalls(call)}`,
  })
}

async function readRows<Row>(ctx: PageContext, call: string): Promise<Rows<Row>> {
  try {
    const { Data, __next } = await ctx.api.get<{ Data: Row[]; __next?: string }>(call)
    const next = __next === undefined ? undefined : (new URL(__next).searchParams.get('$skiptoken') ?? undefined)
    return { rows: Data, next, errors: [] }
  } catch (error) {
    if (!isApiError(error, 400)) throw error
    return { rows: [], next: undefined, errors: error.messages }
  }
}

const viewTabs = (current: string, keywords: string): Html =>
  tabs(
    'View',
    [users, clients].map(({ name, path }) => ({
      name,
      href: withQuery(path, { Keywords: keywords }),
      current: name === current,
    })),
  )

const searchForm = ({ path, name }: Pick<View<never>, 'path' | 'name'>, keywords: string): Html =>
  html`<form class="bar-search" role="search" action="${path}" aria-label="Filter ${name.toLowerCase()}"><input type="search" name="Keywords" aria-label="Name or client" placeholder="Name or client" value="${keywords}" maxlength="${maxKeywords}" autocomplete="off" spellcheck="false"></form>`

const legend = html`<ul class="legend"><li><span class="mark trade">●</span> sees and trades</li><li><span class="mark view">✓</span> sees</li><li>blank: nothing</li><li>some: only some asset types, exchanges or accounts; point at a mark to see which</li></ul>`

const nothing = ({ path, name }: Pick<View<never>, 'path' | 'name'>, keywords: string): Html =>
  keywords === ''
    ? emptyState(`No ${name.toLowerCase()}.`, 'Import some, or add a user with refdesk users add.')
    : emptyState(`Nothing matches “${keywords}”.`, 'Names of users, and ids and names of clients are searched.', [
        `Show all ${name.toLowerCase()}`,
        path,
      ])
