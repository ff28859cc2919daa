import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { pageHeaders } from '../../http/html/layout.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, readListedApp, withAppErrors } from './app-data.ts'
import { type FormErrors, formErrorsFrom, noErrors, statusFor } from './pages/form-errors.ts'
import { emptyUri, type UriCheck, type UriEntry, uriCheckResult, uriForm, uriPage } from './pages/uris.ts'

/** Adding, changing, removing and checking redirect URIs. */
export function appUriRoutes(router: PageRouter): void {
  router.get('/console/redirecturicheck', async (ctx) => {
    const check = await checkUri(ctx, ctx.query('Uri') ?? '', ctx.query('Flow') ?? '')
    return ctx.reply.headers(pageHeaders()).send(String(check ? uriCheckResult(check) : ''))
  })
  const path = '/console/apps/:AppKey/redirecturis'
  router.get(`${path}/new`, (ctx) => withApp(ctx, (app) => showNew(ctx, app, emptyUri)))
  router.post(`${path}/new`, (ctx, form) => withApp(ctx, (app) => addUri(ctx, app, form)))
  router.get(`${path}/:RedirectUriId`, (ctx) => withApp(ctx, (app) => showUri(ctx, app)))
  router.post(`${path}/:RedirectUriId`, (ctx, form) => withApp(ctx, (app) => changeUri(ctx, app, form)))
  router.post(`${path}/:RedirectUriId/delete`, (ctx) =>
    withApp(ctx, async ({ AppKey }) => {
      await ctx.api.send('DELETE', uriPath(ctx, AppKey))
      return ctx.redirect(`${appPath(AppKey)}?done=removed#redirect-uris`)
    }),
  )
}

export async function checkUri(ctx: PageContext, Uri: string, Flow: string): Promise<UriCheck | undefined> {
  return Uri === '' ? undefined : ctx.api.get<UriCheck>('/x/v1/redirecturicheck', { Uri, Flow })
}

const withApp = (ctx: PageContext, work: (app: App) => Promise<FastifyReply>): Promise<FastifyReply> =>
  withAppErrors(ctx, async () => work(await readListedApp(ctx)))

const uriPath = (ctx: PageContext, appKey: string): string =>
  `${apiPath(appKey)}/redirecturis/${encodeURIComponent(ctx.param('RedirectUriId'))}`

function entryIn(form: URLSearchParams): UriEntry {
  const { Uri = '', RedirectUriLabel = '', Description = '' } = Object.fromEntries(form)
  return { Uri, RedirectUriLabel, Description }
}

const fields = ['Uri', 'RedirectUriLabel', 'Description']

type FormState = Readonly<{ errors?: FormErrors; uriCheck?: UriCheck | undefined }>

async function showNew(ctx: PageContext, app: App, entry: UriEntry, { errors = noErrors, uriCheck }: FormState = {}) {
  const action = `${appPath(app.AppKey)}/redirecturis/new`
  const form = { app, formToken: ctx.formToken, entry, errors, uriCheck, action, button: 'Add' }
  return ctx.render({
    title: 'Add a redirect URI',
    section: 'apps',
    crumbs: appCrumbs(app),
    scripts: ['redirect-uri.js'],
    status: statusFor(errors),
    body: html`<div class="card">${uriForm(form)}</div>`,
  })
}

async function addUri(ctx: PageContext, app: App, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  const { Uri, RedirectUriLabel, Description } = entry
  if (form.has('check')) return showNew(ctx, app, entry, { uriCheck: await checkUri(ctx, Uri, app.Flow) })
  const body = { Uri, ...(RedirectUriLabel && { RedirectUriLabel }), ...(Description && { Description }) }
  try {
    await ctx.api.send('POST', `${apiPath(app.AppKey)}/redirecturis`, body)
  } catch (error) {
    return showNew(ctx, app, entry, { errors: formErrorsFrom(error, fields) })
  }
  return ctx.redirect(`${appPath(app.AppKey)}?done=added#redirect-uris`)
}

async function showUri(ctx: PageContext, app: App, typed?: UriEntry, { errors = noErrors, uriCheck }: FormState = {}) {
  const known = app.RedirectUris.find(({ RedirectUriId }) => String(RedirectUriId) === ctx.param('RedirectUriId'))
  if (!known) throw new ApiError(404, 'This redirect URI no longer exists.')
  const { Uri, RedirectUriLabel = '', Description = '' } = known
  const entry = typed ?? { Uri, RedirectUriLabel, Description }
  const action = `${appPath(app.AppKey)}/redirecturis/${known.RedirectUriId}`
  const form = { app, formToken: ctx.formToken, entry, errors, uriCheck, action, button: 'Save' }
  return ctx.render({
    title: 'Edit redirect URI',
    section: 'apps',
    crumbs: appCrumbs(app),
    scripts: ['redirect-uri.js'],
    status: statusFor(errors),
    body: uriPage({ ...form, isLast: app.RedirectUris.length === 1 }),
  })
}

async function changeUri(ctx: PageContext, app: App, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn(form)
  if (form.has('check')) return showUri(ctx, app, entry, { uriCheck: await checkUri(ctx, entry.Uri, app.Flow) })
  try {
    await ctx.api.send('PATCH', uriPath(ctx, app.AppKey), entry)
  } catch (error) {
    return showUri(ctx, app, entry, { errors: formErrorsFrom(error, fields) })
  }
  return ctx.redirect(`${appPath(app.AppKey)}?done=saved#redirect-uris`)
}
