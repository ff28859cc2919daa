import type { FastifyReply } from 'fastify'
import { sourceOf } from '../../http/in-process.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import type { ChainId } from './code-samples.ts'
import { type DayToken, type Health, heading, homeBody, type Revision, signOutNoticeOf } from './page.ts'

export function homeRoutes(router: PageRouter): void {
  router.getPublic('/', (ctx) => showHome(ctx))
  router.getPublic('/console', (ctx) => ctx.redirect('/'))
  router.getPublic('/console/token', (ctx) => ctx.redirect('/#token'))
  // Renders the page instead of redirecting to it, because the token is shown only once.
  router.post('/console/token', async (ctx) => showHome(ctx, await ctx.api.send<DayToken>('POST', '/x/v1/daytoken')))
}

async function showHome(ctx: PageContext, token?: DayToken): Promise<FastifyReply> {
  const { deps, session, now } = ctx
  const { environment, publicUrl, baseUrl, demo } = deps
  const [health, revision, chain] = await Promise.all([
    readHealth(ctx),
    session && orUndefined(ctx.api.get<Revision>('/x/v1/revision')),
    demo && (session ? orUndefined(findChain(ctx)) : demoChain),
  ])
  return ctx.render({
    title: 'Home',
    section: 'home',
    heading,
    body: homeBody({
      ...{ environment, publicUrl, baseUrl, demo, health, now, revision, chain },
      token: token && { ...token, zone: ctx.zone },
      travel: deps.travel(),
      signOutNotice: session ? undefined : signOutNoticeOf(ctx.query('done')),
      formToken: session && ctx.formToken,
    }),
  })
}

async function readHealth({ deps, request }: PageContext): Promise<Health> {
  const { remoteAddress } = sourceOf(request)
  const { body } = await deps.call({ method: 'GET', url: '/health/ready', headers: {}, remoteAddress })
  return JSON.parse(body)
}

/** The option root of Apple in the demo data. Not every user may see it. */
const demoChain = 1

async function findChain(ctx: PageContext): Promise<ChainId> {
  const query = { Keywords: 'AAPL', AssetTypes: 'StockOption', $top: 1 }
  const { Data } = await ctx.api.get<{ Data: { Identifier: number }[] }>('/ref/v1/instruments', query)
  return Data[0]?.Identifier
}

/** For optional data: ignores API errors, except that the session has ended. */
function orUndefined<Body>(response: Promise<Body>): Promise<Body | undefined> {
  return response.catch((error: unknown) => {
    if (error instanceof ApiError && error.status !== 401) return undefined
    throw error
  })
}
