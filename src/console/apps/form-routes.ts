import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { randomHex } from '../../core/crypto/keys.ts'
import { html } from '../../http/html/html.ts'
import type { PageContext } from '../shared/context.ts'
import { codeBlock } from '../shared/elements.ts'
import { hiddenField } from '../shared/fields.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, appsCrumb, ifMatch, readApp, withAppErrors } from './app-data.ts'
import { type AppEdit, type AppEntry, editAppForm, newAppForm } from './pages/form.ts'
import { type FormErrors, formErrorsFrom, noErrors, statusFor } from './pages/form-errors.ts'
import { appObject } from './pages/model.ts'
import { newSecretCard } from './pages/secret-forms.ts'
import { rememberSubmit, submitOnce } from './submit-once.ts'
import { checkUri } from './uri-routes.ts'

const emptyEntry: AppEntry = { Name: '', Description: '', Flow: 'Code', IsTradingEnabled: false, RedirectUri: '' }

/** Creating and editing apps. */
export function appFormRoutes(router: PageRouter): void {
  router.get('/console/apps/new', (ctx) => showNewApp(ctx, emptyEntry))
  router.post(
    '/console/apps/new',
    submitOnce(createApp, () => ({ href: '/console/apps', action: 'Back to your apps' })),
  )
  router.get('/console/apps/:AppKey/edit', (ctx) => withAppErrors(ctx, () => showEdit(ctx)))
  router.post('/console/apps/:AppKey/edit', (ctx, form) => withAppErrors(ctx, () => editApp(ctx, form)))
}

async function showNewApp(ctx: PageContext, entry: AppEntry, errors: FormErrors = noErrors) {
  // Two apps may have equal fields: the random value tells two forms from a repeated one.
  const formToken = html`${ctx.formToken}${hiddenField('once', randomHex())}`
  const uriCheck = await checkUri(ctx, entry.RedirectUri, entry.Flow)
  return ctx.render({
    title: 'Create an app',
    section: 'apps',
    crumbs: [appsCrumb],
    scripts: ['redirect-uri.js'],
    status: statusFor(errors),
    body: newAppForm(entry, { formToken, environment: ctx.deps.environment, errors, uriCheck }),
  })
}

function entryIn(form: URLSearchParams): AppEntry {
  const { Name = '', Description = '', Flow = '', RedirectUri = '' } = Object.fromEntries(form)
  return { Name, Description, Flow, RedirectUri, IsTradingEnabled: form.get('IsTradingEnabled') === 'true' }
}

async function createApp(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  if (form.has('check')) return showNewApp(ctx, entry)
  const { RedirectUri, ...rest } = entry
  let app: App
  try {
    app = await ctx.api.send<App>('POST', '/developer/apps', { ...rest, ...(RedirectUri && { RedirectUri }) })
  } catch (error) {
    return showNewApp(ctx, entry, formErrorsFrom(error, ['Name', 'Description', 'RedirectUri']))
  }
  rememberSubmit(ctx, form)
  const [secret] = app.Secrets ?? []
  return secret?.Secret === undefined
    ? ctx.redirect(`${appPath(app.AppKey)}?done=created`)
    : showCreated(ctx, app, secret.Secret, secret.ValidUntil)
}

/** Not a redirect, because the secret may be shown only once. */
function showCreated(ctx: PageContext, app: App, secret: string, validUntil: string): FastifyReply {
  return ctx.render({
    title: `${app.Name} is ready`,
    section: 'apps',
    crumbs: [appsCrumb],
    body: html`${newSecretCard({ secret, validUntil, zone: ctx.zone, mode: ctx.deps.secretsMode, notes: [] })}
<div class="card app-object"><h2>App object</h2><p class="small quiet">Settings in the format that client libraries for this API read, including the secret.</p>
${codeBlock(appObject(app, ctx.deps.baseUrl, secret), 'app object')}</div>
<p><a class="button" href="${appPath(app.AppKey)}">Go to the app</a></p>`,
  })
}

async function showEdit(ctx: PageContext, typed?: AppEdit, errors: FormErrors = noErrors) {
  const { app, tag } = await readApp(ctx)
  const { formToken, deps } = ctx
  return ctx.render({
    title: `Edit ${app.Name}`,
    section: 'apps',
    crumbs: appCrumbs(app),
    status: statusFor(errors),
    body: editAppForm(app, typed ?? editOf(app), tag, { formToken, environment: deps.environment, errors }),
  })
}

/** Write access that awaits approval counts as requested. */
const editOf = ({ Name, Description, IsTradingEnabled, Status }: App): AppEdit => ({
  Name,
  Description,
  IsTradingEnabled: IsTradingEnabled || Status !== 'OK',
})

async function editApp(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const appKey = ctx.param('AppKey')
  const { Name, Description, IsTradingEnabled } = entryIn(form)
  const typed: AppEdit = { Name, Description, IsTradingEnabled }
  const before = editOf((await readApp(ctx)).app)
  // Sends changes only: repeating a request for write access could grant it.
  const changed = Object.entries(typed).filter(([name, value]) => value !== before[name as keyof AppEdit])
  try {
    await ctx.api.send('PATCH', apiPath(appKey), Object.fromEntries(changed), ifMatch(form))
  } catch (error) {
    return showEdit(ctx, typed, formErrorsFrom(error, ['Name', 'Description']))
  }
  return ctx.redirect(`${appPath(appKey)}?done=saved`)
}
