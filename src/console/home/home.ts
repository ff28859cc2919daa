import type { FastifyReply } from 'fastify'
import { html } from '../../http/html/html.ts'
import type { PageContext } from '../shared/context.ts'
import { postButton } from '../shared/fields.ts'
import type { PageRouter } from '../shared/router.ts'
import { readHealth, readOverview } from './data.ts'
import { overview } from './overview.ts'
import { pitch } from './pitch.ts'
import { type DayToken, quickStart, tokenCard } from './quick-start.ts'

export function homeRoutes(router: PageRouter): void {
  router.getPublic('/', (ctx) => (ctx.session ? showOverview(ctx) : showPitch(ctx)))
  router.getPublic('/console', (ctx) => ctx.redirect('/'))
  router.getPublic('/console/token', (ctx) => ctx.redirect('/'))
  // Renders the page instead of redirecting to it, because the token is shown only once.
  router.post('/console/token', async (ctx) =>
    showOverview(ctx, await ctx.api.send<DayToken>('POST', '/x/v1/daytoken')),
  )
}

async function showPitch(ctx: PageContext): Promise<FastifyReply> {
  const { environment, publicUrl, demo } = ctx.deps
  const { Status } = await readHealth(ctx)
  const isOwnHost = ctx.request.host === new URL(publicUrl).host
  return ctx.render({
    title: 'Home',
    heading: html`<span class="hero">Sign-in and reference data for trading apps</span>`,
    body: pitch({
      environment,
      demo,
      isReady: Status === 'Ready',
      formToken: isOwnHost ? ctx.formToken : undefined,
      done: ctx.query('done'),
    }),
  })
}

async function showOverview(ctx: PageContext, token?: DayToken): Promise<FastifyReply> {
  const { deps, reader, formToken } = ctx
  const read = await readOverview(ctx)
  const isSim = deps.environment === 'sim'
  // Open while the request log has none of the user's calls, and with a new token.
  const isStartOpen = token !== undefined || read.requests?.isEmpty === true
  return ctx.render({
    title: 'Home',
    aside: isSim ? postButton('/console/token', formToken, 'Get a 24-hour token') : undefined,
    body: html`${token && tokenCard(token, reader.zone, ctx.session?.userName)}
${overview({ ...read, reader, travel: deps.travel(), isSim })}
${quickStart({ ...deps, chain: read.chain, userName: ctx.session?.userName }, isStartOpen)}`,
  })
}
