import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import { html } from '../../http/html/html.ts'
import type { Visit } from '../shared/context.ts'
import { codeBlock } from '../shared/elements.ts'
import type { Pages } from '../shared/router.ts'
import { apiPath, appPath, ifMatch, orBack, readApp, saidAgainst } from './app-data.ts'
import { type AppEdit, type AppEntry, editAppForm, newAppForm } from './pages/form.ts'
import { type Against, nothingAgainst } from './pages/form-errors.ts'
import { appObject } from './pages/model.ts'
import { madeSecret } from './pages/secret-forms.ts'
import { noteDone, takeOnce } from './submit-once.ts'
import { judged } from './uri-routes.ts'

const noEntry: AppEntry = { Name: '', Description: '', Flow: 'Code', IsTradingEnabled: false, RedirectUri: '' }

/** A new app, and the words of one that is there. */
export function appFormPages(pages: Pages): void {
  pages.get('/console/apps/new', (visit) => showNewApp(visit, noEntry))
  pages.post(
    '/console/apps/new',
    takeOnce(createApp, () => ({ href: '/console/apps', action: 'To your apps' })),
  )
  pages.get('/console/apps/:AppKey/edit', (visit) => orBack(visit, visit.param('AppKey'), () => showEdit(visit)))
  pages.post('/console/apps/:AppKey/edit', (visit, form) =>
    orBack(visit, visit.param('AppKey'), () => editApp(visit, form)),
  )
}

const crumbs = [['Apps', '/console/apps']] as const

async function showNewApp(visit: Visit, entry: AppEntry, against: Against = nothingAgainst) {
  // Two apps may be alike in every word: what tells two forms from one that is sent twice is this.
  const formToken = html`${visit.formToken}<input type="hidden" name="once" value="${randomHex()}">`
  return visit.show(
    {
      title: 'Create an app',
      place: 'apps',
      crumbs,
      scripts: ['redirect-uri.js'],
      body: newAppForm(entry, {
        formToken,
        environment: visit.parts.environment,
        against,
        judged: await judged(visit, entry.RedirectUri, entry.Flow),
      }),
    },
    { status: against === nothingAgainst ? 200 : 400 },
  )
}

function entryIn(form: URLSearchParams): AppEntry {
  const { Name = '', Description = '', Flow = '', RedirectUri = '' } = Object.fromEntries(form)
  return { Name, Description, Flow, RedirectUri, IsTradingEnabled: form.get('IsTradingEnabled') === 'true' }
}

async function createApp(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  if (form.has('check')) return showNewApp(visit, entry)
  const { RedirectUri, ...rest } = entry
  let app: App
  try {
    app = await visit.api.send<App>('POST', '/developer/apps', { ...rest, ...(RedirectUri && { RedirectUri }) })
  } catch (error) {
    return showNewApp(visit, entry, saidAgainst(error, ['Name', 'Description', 'RedirectUri']))
  }
  noteDone(visit, form)
  const [secret] = app.Secrets ?? []
  return secret?.Secret === undefined
    ? visit.goTo(`${appPath(app.AppKey)}?done=created`)
    : showMade(visit, app, secret.Secret, secret.ValidUntil)
}

/** The answer to the form itself, not a page to come back to: what it tells has no address. */
function showMade(visit: Visit, app: App, secret: string, validUntil: string): FastifyReply {
  return visit.show({
    title: `${app.Name} is ready`,
    place: 'apps',
    crumbs,
    body: html`${madeSecret({ secret, validUntil, zone: visit.zone, mode: visit.parts.secretsMode, sentences: [] })}
<div class="card app-object"><h2>App object</h2><p class="small quiet">What client libraries of this interface read as their settings, the secret included.</p>
${codeBlock(appObject(app, visit.parts.baseUrl, secret), 'app object')}</div>
<p><a class="button" href="${appPath(app.AppKey)}">Go to the app</a></p>`,
  })
}

async function showEdit(visit: Visit, typed?: AppEdit, against: Against = nothingAgainst) {
  const { app, tag } = await readApp(visit, visit.param('AppKey'))
  const { formToken, parts } = visit
  return visit.show(
    {
      title: `Edit ${app.Name}`,
      place: 'apps',
      crumbs: [...crumbs, [app.Name, appPath(app.AppKey)]],
      body: editAppForm(app, typed ?? editOf(app), tag, { formToken, environment: parts.environment, against }),
    },
    { status: against === nothingAgainst ? 200 : 400 },
  )
}

/** Trading that was asked for and is not yet given stands as asked for. */
const editOf = ({ Name, Description, IsTradingEnabled, Status }: App): AppEdit => ({
  Name,
  Description,
  IsTradingEnabled: IsTradingEnabled || Status !== 'OK',
})

async function editApp(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const appKey = visit.param('AppKey')
  const { Name, Description, IsTradingEnabled } = entryIn(form)
  const typed: AppEdit = { Name, Description, IsTradingEnabled }
  const before = editOf((await readApp(visit, appKey)).app)
  // Only what was changed: to repeat a wish to trade could grant it.
  const changed = Object.entries(typed).filter(([name, value]) => value !== before[name as keyof AppEdit])
  try {
    await visit.api.send('PATCH', apiPath(appKey), Object.fromEntries(changed), ifMatch(form))
  } catch (error) {
    return showEdit(visit, typed, saidAgainst(error, ['Name', 'Description']))
  }
  return visit.goTo(`${appPath(appKey)}?done=saved`)
}
