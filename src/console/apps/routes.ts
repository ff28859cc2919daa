import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { pageLinks } from '../shared/elements.ts'
import type { PageRouter } from '../shared/router.ts'
import {
  apiPath,
  appCrumbs,
  appPath,
  appsCrumb,
  ifMatch,
  readApp,
  readApps,
  readSecretUses,
  withAppErrors,
} from './app-data.ts'
import { appFormRoutes } from './form.ts'
import { type ActivityRow, activityTable } from './pages/activity.ts'
import { appPage, appTags } from './pages/app.ts'
import { appList, appsPerPage, matchingApps } from './pages/list.ts'
import { appUriRoutes } from './redirect-uris.ts'
import { appSecretRoutes } from './secret-routes.ts'

export function appRoutes(router: PageRouter): void {
  router.get('/console/apps', showApps)
  appFormRoutes(router)
  router.get('/console/apps/:AppKey', (ctx) => withAppErrors(ctx, () => showApp(ctx)))
  router.get('/console/apps/:AppKey/audit', (ctx) => withAppErrors(ctx, () => showActivity(ctx)))
  router.post('/console/apps/:AppKey/deactivate', (ctx, form) =>
    changeState(ctx, 'deactivated', (path) => ctx.api.send('DELETE', path, undefined, ifMatch(form))),
  )
  router.post('/console/apps/:AppKey/activate', (ctx, form) =>
    changeState(ctx, 'activated', (path) => ctx.api.send('PATCH', path, { IsActive: true }, ifMatch(form))),
  )
  appUriRoutes(router)
  appSecretRoutes(router)
}

async function showApps(ctx: PageContext) {
  const words = ctx.query('q') ?? ''
  const all = await readApps(ctx)
  const found = matchingApps(all, words)
  const skip = Math.min(Number(/^\d{1,4}$/.exec(ctx.query('skip') ?? '')?.[0] ?? 0), Math.max(found.length - 1, 0))
  const rows = await Promise.all(
    found.slice(skip, skip + appsPerPage).map(async (app) => ({
      app,
      secrets: app.Flow === 'Code' ? await readSecretUses(ctx, app.AppKey) : [],
    })),
  )
  const demoKey = ctx.deps.demo?.appKey
  return ctx.render({
    title: 'Apps',
    section: 'apps',
    aside: all.length > 0 ? html`<a class="button" href="/console/apps/new">Create an app</a>` : undefined,
    body: appList({ words, total: all.length, found: found.length, skip, rows, now: ctx.now, demoKey }),
  })
}

const readActivity = (ctx: PageContext, $top: number, $skiptoken?: string) =>
  ctx.api.get<{ Data: ActivityRow[]; __next?: string }>(`/x/v1/apps/${encodeURIComponent(ctx.param('AppKey'))}/audit`, {
    $top,
    $skiptoken,
  })

async function showApp(ctx: PageContext) {
  // Revealed before the activity is read, which then includes it.
  const revealed = await revealSecret(ctx)
  const [{ app, secrets, tag }, activity] = await Promise.all([readApp(ctx), readActivity(ctx, 10)])
  return ctx.render({
    title: app.Name,
    heading: html`<bdi>${app.Name}</bdi>`,
    section: 'apps',
    crumbs: [appsCrumb],
    aside: appTags(app, app.AppKey === ctx.deps.demo?.appKey),
    scripts: ['redirect-uri.js'],
    body: appPage({
      ...{ app, secrets, tag, revealed, now: ctx.now, zone: ctx.zone, formToken: ctx.formToken },
      baseUrl: ctx.deps.baseUrl,
      activity: activity.Data,
      hasMoreActivity: activity.__next !== undefined,
      done: ctx.query('done'),
    }),
  })
}

/** The secret named in the URL, if it still exists. The API logs that it was shown. */
async function revealSecret(ctx: PageContext): Promise<{ id: number; value: string } | undefined> {
  const id = /^\d{1,9}$/.exec(ctx.query('secret') ?? '')?.[0]
  if (id === undefined) return undefined
  try {
    const { SecretId, Secret } = await ctx.api.get<AppSecret>(`${apiPath(ctx.param('AppKey'))}/secrets/${id}`)
    return { id: SecretId, value: Secret ?? '…' }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UnavailableSecretId') return undefined
    throw error
  }
}

async function showActivity(ctx: PageContext) {
  const cursor = ctx.query('$skiptoken')
  const [{ app }, activity] = await Promise.all([readApp(ctx), readActivity(ctx, 50, cursor)])
  const next = activity.__next && new URL(activity.__next).searchParams.get('$skiptoken')
  const path = `${appPath(app.AppKey)}/audit`
  return ctx.render({
    title: `Activity of ${app.Name}`,
    section: 'apps',
    crumbs: appCrumbs(app),
    body: html`${activityTable(activity.Data, ctx.zone)}
${pageLinks({ Newest: cursor && path, Older: next && `${path}?$skiptoken=${encodeURIComponent(next)}` })}`,
  })
}

function changeState(ctx: PageContext, done: string, change: (path: string) => Promise<unknown>) {
  const appKey = ctx.param('AppKey')
  return withAppErrors(ctx, async () => {
    await change(apiPath(appKey))
    return ctx.redirect(`${appPath(appKey)}?done=${done}`)
  })
}
