import type { FastifyReply } from 'fastify'
import type { UserDetails } from '../../access/api/operator-schema.ts'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import { withQuery } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { apiCalls, type Column, copyValue, emptyState, facts, table } from '../shared/elements.ts'
import { dayAndTime } from '../shared/format.ts'
import { renderMessage } from '../shared/messages.ts'
import { clientsPath, usersPath } from './paths.ts'
import { type Cell, cellOf, columns } from './rules/matrix.ts'
import { marks, userTags } from './users.ts'

/** One user: the client with its accounts, what they see and trade, and the apps that they use. */
export async function showUser(ctx: PageContext): Promise<FastifyReply> {
  const call = `/x/v1/users/${encodeURIComponent(ctx.param('UserKey'))}`
  const user = await ctx.api.find<UserDetails>(call)
  if (!user) return renderMessage(ctx, 404, 'Not found', 'There is no such user.', ['All users', usersPath])
  return ctx.render({
    title: user.Name,
    heading: html`<bdi>${user.Name}</bdi>`,
    aside: userTags(user),
    section: usersPath,
    crumbs: [['Users and rights', usersPath]],
    body: html`<div class="user-page"><section class="flow"><h2>User</h2><div class="card">${about(user, ctx.zone)}</div></section>
<section class="flow"><h2>Rights</h2>${rightTable(user)}
<p class="hint">${user.HasOwnRights ? 'Own rights, which replace those of the client.' : 'The rights of the client.'} They are imported as records of the kind accessRight.</p></section></div>
<section class="flow"><h2>Apps</h2>${user.Apps.length > 0 ? appTable(user, ctx.zone) : emptyState('No apps.', 'This user has not allowed any app and has no sessions.')}</section>
${apiCalls(call)}`,
  })
}

const about = (user: UserDetails, zone: string): Html =>
  facts([
    [
      'Client',
      html`<a href="${withQuery(clientsPath, { Keywords: user.ClientId })}"><bdi>${user.ClientName}</bdi></a> <span class="num quiet">${user.ClientId}</span>`,
    ],
    ['Accounts', accounts(user)],
    [
      'Last sign-in',
      user.LastLoginTime === undefined
        ? 'never'
        : html`<time datetime="${user.LastLoginTime}">${dayAndTime(user.LastLoginTime, zone)}</time> <span class="quiet">${zone}</span>`,
    ],
    ['UserKey', copyValue(user.UserKey, 'UserKey')],
    ['ClientKey', copyValue(user.ClientKey, 'ClientKey')],
  ])

function accounts({ AccountIds, AccountCount }: UserDetails): Html {
  const more = AccountCount - AccountIds.length
  if (AccountCount === 0) return html`none`
  return html`<span class="num">${AccountIds.join(', ')}</span>${more > 0 && html` <span class="quiet">and ${more} more</span>`}`
}

type RightRow = Readonly<{ name: string; cell: Cell | undefined }>

function rightTable({ Access }: UserDetails): Html {
  const rows = columns.map((column): RightRow => ({ name: column.name, cell: cellOf(Access, column) }))
  const mark = ({ cell }: RightRow): Html => {
    if (!cell) return html`<span class="quiet">nothing</span>`
    const [sign, word] = marks[cell.level]
    return html`<span class="mark ${cell.level.toLowerCase()}" aria-hidden="true">${sign}</span> ${cell.level === 'Trade' ? 'sees and trades' : word}`
  }
  const head: Column<RightRow>[] = [
    ['Asset types', ({ name }) => name, 'name'],
    ['May', mark],
    ['Limits', ({ cell }) => cell && html`<span class="quiet">${cell.limits.join('; ')}</span>`],
  ]
  return html`<div class="user-rights">${table('What the user sees and trades', head, rows)}</div>`
}

type UserApp = UserDetails['Apps'][number]

const appTable = ({ Apps, HasMoreApps }: UserDetails, zone: string): Html =>
  html`<div class="user-apps">${table<UserApp>(
    `Apps that the user has allowed or has sessions with, times in ${zone}`,
    [
      ['App', ({ AppName, AppKey }) => html`<bdi>${AppName}</bdi> ${copyValue(AppKey, 'AppKey')}`, 'name'],
      ['Allowed', ({ ConsentTime }) => (ConsentTime === undefined ? '' : dayAndTime(ConsentTime, zone))],
      ['Sessions', ({ SessionCount }) => String(SessionCount), 'figure'],
    ],
    Apps,
  )}</div>${HasMoreApps && html`<p class="hint">Showing the ${plural(Apps.length, 'app')} with the most sessions.</p>`}`
