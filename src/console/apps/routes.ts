import type { FastifyReply } from 'fastify'
import type { AppActivity } from '../../apps/api/extension-schema.ts'
import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { pageLinks } from '../shared/elements.ts'
import type { PageRouter } from '../shared/router.ts'
import * as data from './app-data.ts'
import { appFormRoutes } from './form.ts'
import { activityTable } from './pages/activity.ts'
import { appPage, appTab, appTabs, appTags, doneMessage } from './pages/app.ts'
import { showApps } from './pages/list.ts'
import { appUriRoutes } from './redirect-uris.ts'
import { readSecretCallers } from './secret-callers.ts'
import { appSecretRoutes } from './secret-routes.ts'

export function appRoutes(router: PageRouter): void {
  const path = '/console/apps/:AppKey'
  router.get('/console/apps', showApps)
  appFormRoutes(router)
  router.get(path, data.withAppErrors(showApp))
  router.get(`${path}/audit`, data.withAppErrors(showActivity))
  router.post(`${path}/deactivate`, data.withAppErrors(deactivate))
  router.post(`${path}/activate`, data.withAppErrors(activate))
  appUriRoutes(router)
  appSecretRoutes(router)
}

function readActivity(ctx: PageContext, $top: number, $skiptoken?: string) {
  const path = `/x/v1/apps/${encodeURIComponent(ctx.param('AppKey'))}/audit`
  return ctx.api.get<{ Data: AppActivity[]; __next?: string }>(path, { $top, $skiptoken })
}

async function showApp(ctx: PageContext): Promise<FastifyReply> {
  const tab = appTab(ctx.query('tab'))
  const [revealed, loaded, callers] = await Promise.all([
    revealSecret(ctx),
    data.readApp(ctx),
    tab === 'overview' && ctx.deps.hasRequestLog ? readSecretCallers(ctx, ctx.param('AppKey')) : undefined,
  ])
  const { app } = loaded
  const isDemo = app.AppKey === ctx.deps.demo?.appKey
  return ctx.render({
    title: app.Name,
    heading: html`<bdi>${app.Name}</bdi>`,
    crumbs: [data.appsCrumb],
    aside: appTags(app, isDemo),
    scripts: ['redirect-uri.js'],
    body: appPage(
      {
        ...loaded,
        ...{ revealed, callers, isDemo, now: ctx.now, zone: ctx.zone, baseUrl: ctx.deps.baseUrl },
        done: doneMessage(ctx.query('done'), ctx.query('of')),
      },
      tab,
    ),
  })
}

/** The secret named in the URL, if it still exists. The API logs that it was shown. */
async function revealSecret(ctx: PageContext): Promise<{ id: number; value: string } | undefined> {
  const id = /^\d{1,9}$/.exec(ctx.query('secret') ?? '')?.[0]
  if (id === undefined) return undefined
  const path = `${data.apiPath(ctx.param('AppKey'))}/secrets/${id}`
  const secret = await ctx.api.get<AppSecret>(path).catch(undefinedIf(({ code }) => code === 'UnavailableSecretId'))
  return secret && { id: secret.SecretId, value: secret.Secret ?? '…' }
}

async function showActivity(ctx: PageContext): Promise<FastifyReply> {
  const cursor = ctx.query('$skiptoken')
  const [app, activity] = await Promise.all([data.readListedApp(ctx), readActivity(ctx, 50, cursor)])
  const next = activity.__next && new URL(activity.__next).searchParams.get('$skiptoken')
  const path = `${data.appPath(app.AppKey)}/audit`
  return ctx.render({
    title: `Activity of ${app.Name}`,
    heading: html`<bdi>${app.Name}</bdi>`,
    crumbs: [data.appsCrumb],
    aside: appTags(app, app.AppKey === ctx.deps.demo?.appKey),
    body: html`${appTabs(app, 'activity')}
<p class="small quiet">Every change, and every time a secret was shown. New entries appear within about a second.${ctx.deps.hasRequestLog && html` What the app sends is in the <a href="/console/requests?AppKey=${app.AppKey}">request log</a>.`}</p>
${activityTable(activity.Data, ctx.zone)}
${pageLinks({ Newest: cursor && path, Older: next && `${path}?$skiptoken=${encodeURIComponent(next)}` })}`,
  })
}

async function deactivate(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const appKey = ctx.param('AppKey')
  await ctx.api.send('DELETE', data.apiPath(appKey), undefined, data.ifMatch(form))
  return ctx.redirect(`${data.appPath(appKey)}?done=deactivated`)
}

async function activate(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const appKey = ctx.param('AppKey')
  await ctx.api.send('PATCH', data.apiPath(appKey), { IsActive: true }, data.ifMatch(form))
  return ctx.redirect(`${data.appPath(appKey)}?done=activated`)
}
