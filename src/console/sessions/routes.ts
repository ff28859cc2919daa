import type { FastifyReply } from 'fastify'
import type { SignOutNotice } from '../home/page.ts'
import { catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import { clearSession, endSession } from '../shared/session.ts'
import { type ConsentRow, type ListPage, type SessionRow, sessionsBody } from './page.ts'

const pageSize = 50

/** By the `done` parameter of the URL. */
const doneMessages = new Map([
  ['ended', 'Session ended. The app has to sign in again.'],
  ['revoked', 'Access revoked. The app is signed out and will ask for consent again.'],
])

export function sessionRoutes(router: PageRouter): void {
  router.get('/console/sessions', showSessions)

  // Ends the console session, then the browser's sign-in: the 307 makes the browser post the same form to /logout.
  router.post(
    '/console/logout',
    async (ctx) => {
      if (ctx.session) await endSession(ctx.deps, ctx.request, ctx.reply, ctx.session)
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

/** A session or consent that no longer exists counts as removed. */
async function remove(ctx: PageContext, path: string): Promise<void> {
  await ctx.api.send('DELETE', path).catch(catchApiError(404))
}

/** The change ended our own session too. */
function leave(ctx: PageContext, done: SignOutNotice): FastifyReply {
  clearSession(ctx.deps, ctx.reply)
  return ctx.redirect(`/?done=${done}`)
}

async function showSessions(ctx: PageContext): Promise<FastifyReply> {
  const [sessions, consents] = await Promise.all([
    readPage<SessionRow>(ctx, '/x/v1/sessions', 'from'),
    readPage<ConsentRow>(ctx, '/x/v1/consents', 'fromApp'),
  ])
  const { now, zone, formToken } = ctx
  return ctx.render({
    title: 'Sessions',
    section: 'sessions',
    body: sessionsBody({
      ...{ sessions, consents, now, zone, formToken },
      ownApp: ctx.deps.appKey,
      done: doneMessages.get(ctx.query('done') ?? ''),
    }),
  })
}

async function readPage<Row>(ctx: PageContext, path: string, parameter: string): Promise<ListPage<Row>> {
  const skip = Math.trunc(Math.min(Math.max(Number(ctx.query(parameter)) || 0, 0), 1_000_000))
  const query = { $top: pageSize, $skip: skip }
  const { Data, __next } = await ctx.api.get<{ Data: Row[]; __next?: string }>(path, query)
  const next = __next === undefined ? undefined : `/console/sessions?${parameter}=${skip + pageSize}`
  return { rows: Data, isFirst: skip === 0, next }
}
