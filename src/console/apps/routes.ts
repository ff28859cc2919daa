import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import type { Pages } from '../shared/router.ts'
import { apiPath, appPath, ifMatch, orBack, readApp, readApps, readUses } from './app-data.ts'
import { appFormPages } from './form-routes.ts'
import { type AuditRow, auditTable } from './pages/activity.ts'
import { appPage, appTags } from './pages/app.ts'
import { appList, appsPerPage, matchingApps } from './pages/list.ts'
import { appSecretPages } from './secret-routes.ts'
import { appUriPages } from './uri-routes.ts'

/** The apps of the reader's client: looked at, made, changed. */
export function appPages(pages: Pages): void {
  pages.get('/console/apps', showApps)
  appFormPages(pages)
  pages.get('/console/apps/:AppKey', (visit) => orBack(visit, visit.param('AppKey'), () => showApp(visit)))
  pages.get('/console/apps/:AppKey/audit', (visit) => orBack(visit, visit.param('AppKey'), () => showAudit(visit)))
  pages.post('/console/apps/:AppKey/deactivate', (visit, form) =>
    changeState(visit, 'deactivated', (path) => visit.api.send('DELETE', path, undefined, ifMatch(form))),
  )
  pages.post('/console/apps/:AppKey/activate', (visit, form) =>
    changeState(visit, 'activated', (path) => visit.api.send('PATCH', path, { IsActive: true }, ifMatch(form))),
  )
  appUriPages(pages)
  appSecretPages(pages)
}

async function showApps(visit: Visit) {
  const words = visit.asked('q') ?? ''
  const all = await readApps(visit)
  const found = matchingApps(all, words)
  const skip = Math.min(Number(/^\d{1,4}$/.exec(visit.asked('skip') ?? '')?.[0] ?? 0), Math.max(found.length - 1, 0))
  const rows = await Promise.all(
    found.slice(skip, skip + appsPerPage).map(async (app) => ({
      app,
      secrets: app.Flow === 'Code' ? await readUses(visit, app.AppKey) : [],
    })),
  )
  return visit.show({
    title: 'Apps',
    place: 'apps',
    aside: all.length > 0 ? html`<a class="button" href="/console/apps/new">Create an app</a>` : undefined,
    body: appList({
      words,
      total: all.length,
      found: found.length,
      skip,
      rows,
      now: visit.now,
      demoKey: visit.parts.demo?.appKey,
    }),
  })
}

type AuditFeed = Readonly<{ Data: AuditRow[]; __next?: string }>

const readAudit = (visit: Visit, appKey: string, top: number, place?: string): Promise<AuditFeed> =>
  visit.api.get(`/x/v1/apps/${encodeURIComponent(appKey)}/audit`, { $top: top, $skiptoken: place })

async function showApp(visit: Visit) {
  const appKey = visit.param('AppKey')
  // Shown first, so that the log below has it already.
  const revealed = await revealedSecret(visit, appKey)
  const [{ app, secrets, tag }, audit] = await Promise.all([readApp(visit, appKey), readAudit(visit, appKey, 10)])
  const props = { app, secrets, tag, revealed, now: visit.now, zone: visit.zone, formToken: visit.formToken }
  return visit.show({
    title: app.Name,
    heading: html`<bdi>${app.Name}</bdi>`,
    place: 'apps',
    crumbs: [['Apps', '/console/apps']],
    aside: appTags(app, app.AppKey === visit.parts.demo?.appKey),
    scripts: ['redirect-uri.js'],
    body: appPage({
      ...props,
      baseUrl: visit.parts.baseUrl,
      audit: audit.Data,
      hasMoreAudit: audit.__next !== undefined,
      done: visit.asked('done'),
    }),
  })
}

/** The secret that the address asks to show; the API writes down that it was told. One that is gone shows nothing. */
async function revealedSecret(visit: Visit, appKey: string): Promise<{ id: number; value: string } | undefined> {
  const id = /^\d{1,9}$/.exec(visit.asked('secret') ?? '')?.[0]
  if (id === undefined) return undefined
  try {
    const { SecretId, Secret } = await visit.api.get<AppSecret>(`${apiPath(appKey)}/secrets/${id}`)
    return { id: SecretId, value: Secret ?? '…' }
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 'UnavailableSecretId') return undefined
    throw error
  }
}

async function showAudit(visit: Visit) {
  const appKey = visit.param('AppKey')
  const [{ app }, audit] = await Promise.all([
    readApp(visit, appKey),
    readAudit(visit, appKey, 50, visit.asked('$skiptoken')),
  ])
  const next = audit.__next && new URL(audit.__next).searchParams.get('$skiptoken')
  return visit.show({
    title: `What was done to ${app.Name}`,
    place: 'apps',
    crumbs: [
      ['Apps', '/console/apps'],
      [app.Name, appPath(appKey)],
    ],
    body: html`${auditTable(audit.Data, visit.zone)}
<nav class="row" aria-label="Pages">${visit.asked('$skiptoken') && html`<a class="button plain" href="${appPath(appKey)}/audit">Newest</a>`}
${next && html`<a class="button plain" href="${appPath(appKey)}/audit?$skiptoken=${encodeURIComponent(next)}">Older</a>`}</nav>`,
  })
}

/** One change by one button, and back to the app. */
function changeState(visit: Visit, done: string, change: (path: string) => Promise<unknown>) {
  const appKey = visit.param('AppKey')
  return orBack(visit, appKey, async () => {
    await change(apiPath(appKey))
    return visit.goTo(`${appPath(appKey)}?done=${done}`)
  })
}
