import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import type { Html } from '../../http/html/html.ts'
import { html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import type { Pages } from '../shared/router.ts'
import { apiPath, appPath, orBack, readApps, saidAgainst } from './app-data.ts'
import { type Against, nothingAgainst } from './pages/form-errors.ts'
import { type Judgement, judgement, noUri, type UriEntry, uriForm, uriPage } from './pages/uris.ts'

/** Redirect URIs: added, changed, removed; and what the service says of one before any of it. */
export function appUriPages(pages: Pages): void {
  pages.get('/console/redirecturicheck', async (visit) => {
    const said = await judged(visit, visit.asked('Uri') ?? '', visit.asked('Flow') ?? '')
    return visit.reply.headers(pageHeaders()).send(String(said ? judgement(said) : ''))
  })
  const at = '/console/apps/:AppKey/redirecturis'
  pages.get(`${at}/new`, (visit) => inApp(visit, (app) => showNew(visit, app, noUri)))
  pages.post(`${at}/new`, (visit, form) => inApp(visit, (app) => addUri(visit, app, form)))
  pages.get(`${at}/:RedirectUriId`, (visit) => inApp(visit, (app) => showUri(visit, app)))
  pages.post(`${at}/:RedirectUriId`, (visit, form) => inApp(visit, (app) => changeUri(visit, app, form)))
  pages.post(`${at}/:RedirectUriId/delete`, (visit) =>
    inApp(visit, async ({ AppKey }) => {
      await visit.api.send('DELETE', uriPath(visit, AppKey))
      return visit.goTo(`${appPath(AppKey)}?done=removed#redirect-uris`)
    }),
  )
}

/** What the rule says of an address; nothing while there is none. */
export async function judged(visit: Visit, Uri: string, Flow: string): Promise<Judgement | undefined> {
  if (Uri === '') return undefined
  return visit.api.get<Judgement>('/x/v1/redirecturicheck', { Uri, Flow })
}

function inApp(visit: Visit, work: (app: App) => Promise<FastifyReply>): Promise<FastifyReply> {
  const appKey = visit.param('AppKey')
  return orBack(visit, appKey, async () => {
    const app = (await readApps(visit)).find(({ AppKey }) => AppKey === appKey)
    if (!app) throw new ApiRefusal(404, JSON.stringify({ Message: `App ${appKey} was not found.` }))
    return work(app)
  })
}

const uriPath = (visit: Visit, appKey: string): string =>
  `${apiPath(appKey)}/redirecturis/${encodeURIComponent(visit.param('RedirectUriId'))}`

function entryIn(form: URLSearchParams): UriEntry {
  const { Uri = '', RedirectUriLabel = '', Description = '' } = Object.fromEntries(form)
  return { Uri, RedirectUriLabel, Description }
}

const fields = ['Uri', 'RedirectUriLabel', 'Description']

type Said = Readonly<{ against?: Against; said?: Judgement | undefined }>

function frameOf(app: App, title: string, body: Html) {
  const crumbs = [
    ['Apps', '/console/apps'],
    [app.Name, appPath(app.AppKey)],
  ] as const
  return { title, place: 'apps' as const, crumbs, scripts: ['redirect-uri.js'], body }
}

async function showNew(visit: Visit, app: App, entry: UriEntry, { against = nothingAgainst, said }: Said = {}) {
  const action = `${appPath(app.AppKey)}/redirecturis/new`
  const form = { app, formToken: visit.formToken, entry, against, judged: said, action, button: 'Add' }
  return visit.show(frameOf(app, 'Add a redirect URI', html`<div class="card">${uriForm(form)}</div>`), {
    status: against === nothingAgainst ? 200 : 400,
  })
}

async function addUri(visit: Visit, app: App, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  const { Uri, RedirectUriLabel, Description } = entry
  if (form.has('check')) return showNew(visit, app, entry, { said: await judged(visit, Uri, app.Flow) })
  const asked = { Uri, ...(RedirectUriLabel && { RedirectUriLabel }), ...(Description && { Description }) }
  try {
    await visit.api.send('POST', `${apiPath(app.AppKey)}/redirecturis`, asked)
  } catch (error) {
    return showNew(visit, app, entry, { against: saidAgainst(error, fields) })
  }
  return visit.goTo(`${appPath(app.AppKey)}?done=added#redirect-uris`)
}

async function showUri(visit: Visit, app: App, typed?: UriEntry, { against = nothingAgainst, said }: Said = {}) {
  const known = app.RedirectUris.find(({ RedirectUriId }) => String(RedirectUriId) === visit.param('RedirectUriId'))
  if (!known) throw new ApiRefusal(404, JSON.stringify({ Message: 'The app has no such redirect URI any more.' }))
  const { Uri, RedirectUriLabel = '', Description = '' } = known
  const body = uriPage({
    app,
    formToken: visit.formToken,
    entry: typed ?? { Uri, RedirectUriLabel, Description },
    against,
    judged: said,
    action: `${appPath(app.AppKey)}/redirecturis/${known.RedirectUriId}`,
    button: 'Save',
    isLast: app.RedirectUris.length === 1,
  })
  return visit.show(frameOf(app, 'Change a redirect URI', body), { status: against === nothingAgainst ? 200 : 400 })
}

async function changeUri(visit: Visit, app: App, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  if (form.has('check')) return showUri(visit, app, entry, { said: await judged(visit, entry.Uri, app.Flow) })
  try {
    await visit.api.send('PATCH', uriPath(visit, app.AppKey), entry)
  } catch (error) {
    return showUri(visit, app, entry, { against: saidAgainst(error, fields) })
  }
  return visit.goTo(`${appPath(app.AppKey)}?done=saved#redirect-uris`)
}
