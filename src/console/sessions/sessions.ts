import { isIP } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { ConsentView, SessionView } from '../../auth/api/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { catchApiError } from '../shared/api.ts'
import { isZone, writeZone } from '../shared/chrome/zone.ts'
import type { PageContext } from '../shared/context.ts'
import { doneNotice, emptyState, hiddenText, type Link, pageLinks, table, tag } from '../shared/elements.ts'
import { confirmation, postButton, postLink } from '../shared/fields.ts'
import { dayAndTime, fromNow } from '../shared/format.ts'
import type { PageRouter } from '../shared/router.ts'
import { clearSession, endSession } from '../shared/session.ts'
import { deviceOf } from './device.ts'
import { safeNext } from './sign-in.ts'

const pageSize = 50

const doneMessages = new Map([
  ['ended', 'Session ended. The app has to sign in again.'],
  ['revoked', 'Access revoked. The app is signed out and will ask for consent again.'],
])

export function sessionRoutes(router: PageRouter): void {
  router.get('/console/sessions', showSessions)

  router.post(
    '/console/zone',
    (ctx, form) => {
      const zone = form.get('zone') ?? ''
      writeZone(ctx.reply, isZone(zone) ? zone : undefined)
      return ctx.redirect(pageWithoutZone(form.get('next') ?? '/'))
    },
    { isPublic: true },
  )

  // Ends the console session, then the browser's sign-in: the 307 makes the browser post the same form to /logout.
  router.post(
    '/console/logout',
    async (ctx) => {
      if (ctx.session) await endSession(ctx, ctx.session)
      return ctx.redirect('/logout', 307)
    },
    { isPublic: true },
  )

  router.post('/console/sessions/end', async (ctx, form) => {
    await remove(ctx, `/x/v1/sessions/${encodeURIComponent(form.get('session') ?? '')}`)
    return ctx.redirect('/console/sessions?done=ended')
  })

  router.post('/console/sessions/end-all', async (ctx) => {
    await ctx.api.send('DELETE', '/x/v1/sessions')
    return leave(ctx, 'everywhere')
  })

  router.post('/console/sessions/forbid', async (ctx, form) => {
    const app = form.get('app') ?? ''
    await remove(ctx, `/x/v1/consents/${encodeURIComponent(app)}`)
    return app === ctx.deps.appKey ? leave(ctx, 'revoked') : ctx.redirect('/console/sessions?done=revoked')
  })
}

/** The page in the chosen zone instead of the one in its address. Checked again, because parsing resolves `..`. */
export const pageWithoutZone = (next: string): string => safeNext(withoutZone(safeNext(next)))

function withoutZone(path: string): string {
  const url = new URL(path, 'http://localhost')
  for (const name of [...url.searchParams.keys()]) if (name.toLowerCase() === 'zone') url.searchParams.delete(name)
  return `${url.pathname}${url.search}`
}

/** A session or consent that no longer exists counts as removed. */
async function remove(ctx: PageContext, path: string): Promise<void> {
  await ctx.api.send('DELETE', path).catch(catchApiError(404))
}

/** The change ended our own session too. */
function leave(ctx: PageContext, done: 'everywhere' | 'revoked'): FastifyReply {
  clearSession(ctx)
  return ctx.redirect(`/?done=${done}`)
}

async function showSessions(ctx: PageContext): Promise<FastifyReply> {
  return ctx.render({ title: 'Sessions', body: sessionsBody(await readSessions(ctx)) })
}

export type SessionsProps = Awaited<ReturnType<typeof readSessions>>

async function readSessions(ctx: PageContext) {
  const [sessions, consents] = await Promise.all([
    readPage<SessionView>(ctx, '/x/v1/sessions', 'from'),
    readPage<ConsentView>(ctx, '/x/v1/consents', 'fromApp'),
  ])
  const { now, zone, formToken, deps } = ctx
  const done = doneMessages.get(ctx.query('done') ?? '')
  return { sessions, consents, now, zone, formToken, ownApp: deps.appKey, done }
}

async function readPage<Row>(ctx: PageContext, path: string, parameter: string) {
  const skip = Math.trunc(Math.min(Math.max(Number(ctx.query(parameter)) || 0, 0), 1_000_000))
  const query = { $top: pageSize, $skip: skip }
  const { Data: rows, __next } = await ctx.api.get<{ Data: Row[]; __next?: string }>(path, query)
  const next = __next === undefined ? undefined : `/console/sessions?${parameter}=${skip + pageSize}`
  return { rows, isFirst: skip === 0, next }
}

export function sessionsBody(props: SessionsProps): Html {
  const { done, zone, sessions, consents, formToken } = props
  return html`${doneNotice(done)}
<section class="flow sessions"><h2 class="unseen">Active sessions</h2>
${sessionTable(props)}
<p class="hint">Each row is one sign-in to one app. Times are in ${zone}.</p>
${paging('sessions', sessions)}
${confirmation(
  'Sign out everywhere',
  'Ends all your sessions in every app and browser, including tokens used by scripts and this console. You will have to sign in again.',
  postButton('/console/sessions/end-all', formToken, 'Yes, sign out everywhere'),
)}</section>
<section class="flow sessions" id="apps"><h2>Authorized apps</h2>
<p class="quiet">These apps may act on your behalf after you sign in. Revoking access signs the app out immediately; it asks for consent again next time. Revoking access for this console signs you out.</p>
${consentTable(props)}
${paging('apps', consents)}</section>`
}

const firstPage: Link = ['Back to the first page', '/console/sessions']

function sessionTable({ sessions, now, zone, formToken }: SessionsProps): Html {
  if (sessions.rows.length === 0)
    return emptyState('No more sessions.', 'You have reached the end of the list.', firstPage)
  const nameCell = (row: SessionView) =>
    html`<bdi>${row.AppName}</bdi> ${row.IsCurrent && tag('this session', 'accent')}`
  const signedInCell = ({ CreatedAt: at }: SessionView) =>
    html`<time datetime="${at}" title="${dayAndTime(at, zone)}">${fromNow(at, now)}</time>`
  return table<SessionView>(
    'Active sessions, newest first',
    [
      ['App', nameCell, 'name'],
      [
        'Device',
        (row) => html`<span class="quiet">${deviceOf(row.UserAgent)}${!isIP(row.Address) && `, ${row.Address}`}</span>`,
      ],
      ['IP address', (row) => (isIP(row.Address) ? html`<span class="num">${row.Address}</span>` : hiddenText('none'))],
      ['Signed in', signedInCell],
      ['Expires', (row) => dayAndTime(row.ExpiresAt, zone)],
      [hiddenText('Actions'), (row) => signOut(row, formToken)],
    ],
    sessions.rows,
  )
}

/** The current session ends through /console/logout, which also ends the browser's sign-in. */
function signOut({ SessionId, AppName, IsCurrent }: SessionView, formToken: Html): Html {
  if (IsCurrent) return postLink('/console/logout', formToken, 'Sign out', 'of this console')
  return postLink('/console/sessions/end', formToken, 'Sign out', `of ${AppName}`, ['session', SessionId])
}

function consentTable({ consents, ownApp, zone, formToken }: SessionsProps): Html {
  if (consents.rows.length === 0) return emptyState('No authorized apps.', 'Apps that you sign in to appear here.')
  const nameCell = ({ AppName, AppKey }: ConsentView) =>
    html`<bdi>${AppName}</bdi> ${AppKey === ownApp && tag('this console', 'accent')}`
  const revoke = ({ AppKey, AppName }: ConsentView) =>
    postLink('/console/sessions/forbid', formToken, 'Revoke', `access for ${AppName}`, ['app', AppKey])
  return table<ConsentView>(
    'Authorized apps',
    [
      ['App', nameCell, 'name'],
      ['App key', (row) => html`<span class="num">${row.AppKey}</span>`],
      ['Authorized', (row) => dayAndTime(row.GivenAt, zone)],
      [hiddenText('Actions'), revoke],
    ],
    consents.rows,
  )
}

const paging = (what: string, { isFirst, next }: SessionsProps['sessions' | 'consents']): Html | undefined =>
  pageLinks({ 'First page': !isFirst && '/console/sessions', 'Next page': next }, { label: `Pages of ${what}` })
