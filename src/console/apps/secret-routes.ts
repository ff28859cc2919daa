import type { FastifyReply } from 'fastify'
import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { formErrorsFrom, noErrors, statusFor } from '../shared/fields.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, ifMatch, type LoadedApp, readApp, withAppErrors } from './app-data.ts'
import { isLastValid, nameOf, planRotation, type SecretUse } from './pages/model.ts'
import * as forms from './pages/secret-forms.ts'
import { stateTag } from './pages/secrets.ts'
import { secretsBelow } from './secrets-below.ts'
import { rememberSubmit, submitOnce } from './submit-once.ts'

type SecretHandler = (ctx: PageContext, form: URLSearchParams) => Promise<FastifyReply>

/** Adding, changing, rotating, regenerating and deleting secrets. Each form carries the version of the app it shows. */
export function appSecretRoutes(router: PageRouter): void {
  const path = '/console/apps/:AppKey/secrets'
  router.get(`${path}/new`, withAppErrors(showNew))
  router.post(`${path}/new`, once(addSecret))
  router.post(`${path}/rotate`, once(rotate))
  router.get(`${path}/:SecretId`, withAppErrors(showSecret))
  router.post(`${path}/:SecretId`, withAppErrors(changeSecret))
  router.post(`${path}/:SecretId/regenerate`, once(regenerate))
  router.post(`${path}/:SecretId/delete`, withAppErrors(deleteSecret))
}

const once = (handler: SecretHandler) => submitOnce(withAppErrors(handler), (ctx) => ['Go to the app', backTo(ctx)])
const backTo = (ctx: PageContext): string => `${appPath(ctx.param('AppKey'))}#secrets`
/** The top of the page, where the confirmation is without script. */
const confirmed = (ctx: PageContext, done: string, { SecretId, LastFour }: SecretUse): FastifyReply => {
  const of = [SecretId, LastFour].filter((part) => part !== undefined).join('-')
  return ctx.redirect(`${appPath(ctx.param('AppKey'))}?${new URLSearchParams({ done, of })}`)
}
const secretsPath = (ctx: PageContext): string => `${apiPath(ctx.param('AppKey'))}/secrets`
const secretPath = (ctx: PageContext): string => `${secretsPath(ctx)}/${encodeURIComponent(ctx.param('SecretId'))}`

function typedIn(ctx: PageContext, form: URLSearchParams): forms.TimesEntry {
  const { from = '', until = '', zone = ctx.zone } = Object.fromEntries(form)
  return { from, until, zone }
}

const fieldNames = ['ValidFrom', 'ValidUntil']

async function showNew(ctx: PageContext, typed?: forms.TimesEntry, errors = noErrors): Promise<FastifyReply> {
  const { app, fields } = await readApp(ctx)
  const { validFrom, validUntil } = planRotation([], ctx.now)
  const entry = typed ?? forms.timesOf({ ValidFrom: String(validFrom), ValidUntil: String(validUntil) }, ctx.zone)
  const action = `${appPath(app.AppKey)}/secrets/new`
  const body = forms.secretForm({ action, fields, entry, errors, button: 'Add secret', back: backTo(ctx) })
  return ctx.render({ title: 'Add a secret', crumbs: appCrumbs(app), status: statusFor(errors), body })
}

async function addSecret(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(ctx, form)
  const times = forms.requestedTimes(typed)
  if ('errors' in times) return showNew(ctx, typed, times.errors)
  const loaded = await readApp(ctx)
  try {
    return showSecretValue(ctx, form, loaded, await ctx.api.send('POST', secretsPath(ctx), times, ifMatch(form)))
  } catch (error) {
    return showNew(ctx, typed, formErrorsFrom(error, fieldNames))
  }
}

/** Not a redirect, because the secret may be shown only once. */
async function showSecretValue(
  ctx: PageContext,
  form: URLSearchParams,
  { app }: LoadedApp,
  secret: AppSecret,
  notes: readonly string[] = [],
): Promise<FastifyReply> {
  rememberSubmit(ctx, form)
  const others = await secretsBelow(ctx, app.AppKey)
  return ctx.render({
    title: `New secret of ${app.Name}`,
    crumbs: appCrumbs(app),
    body: html`${forms.newSecretCard(secret, ctx.zone, ctx.deps.secretsMode, notes)}<p><a class="button plain" href="${backTo(ctx)}">Go to the app</a></p>${others}`,
  })
}

/** Creates the new secret for the version shown, then shortens the others. Failures are reported on the page. */
async function rotate(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const loaded = await readApp(ctx)
  const plan = planRotation(loaded.secrets, ctx.now)
  const times = { ValidFrom: String(plan.validFrom), ValidUntil: String(plan.validUntil) }
  const created = await ctx.api.send<AppSecret>('POST', secretsPath(ctx), times, ifMatch(form))
  const done: SecretUse[] = []
  for (const secret of plan.shortened) {
    const end = { ValidUntil: String(plan.overlapEnd) }
    // A failure (deleted meanwhile, rate limit) must not hide the new secret.
    const change = ctx.api.send('PATCH', `${secretsPath(ctx)}/${secret.SecretId}`, end)
    await change.then(() => done.push(secret)).catch(() => undefined)
  }
  return showSecretValue(ctx, form, loaded, created, forms.rotationNotes(plan, done, ctx.zone))
}

async function showSecret(ctx: PageContext, typed?: forms.TimesEntry, errors = noErrors): Promise<FastifyReply> {
  const { app, secrets, fields } = await readApp(ctx)
  const secret = requestedSecret(ctx, secrets)
  const entry = typed ?? forms.timesOf(secret, ctx.zone)
  const action = `${appPath(app.AppKey)}/secrets/${secret.SecretId}`
  return ctx.render({
    title: `Secret ${nameOf(secret)}`,
    crumbs: appCrumbs(app),
    aside: stateTag(secret, ctx.now),
    status: statusFor(errors),
    body: html`${forms.secretForm({ action, fields, entry, errors, button: 'Save', back: backTo(ctx) })}
${forms.secretActions(action, fields, isLastValid(secret, secrets, ctx.now))}`,
  })
}

function requestedSecret(ctx: PageContext, secrets: readonly SecretUse[]): SecretUse {
  const found = secrets.find(({ SecretId }) => String(SecretId) === ctx.param('SecretId'))
  if (!found) throw new ApiError(404, 'This secret no longer exists.')
  return found
}

async function changeSecret(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(ctx, form)
  const secret = requestedSecret(ctx, (await readApp(ctx)).secrets)
  const times = forms.requestedTimes(typed, secret)
  if ('errors' in times) return showSecret(ctx, typed, times.errors)
  try {
    await ctx.api.send('PATCH', secretPath(ctx), times, ifMatch(form))
  } catch (error) {
    return showSecret(ctx, typed, formErrorsFrom(error, fieldNames))
  }
  return confirmed(ctx, 'secretchanged', secret)
}

async function regenerate(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const loaded = await readApp(ctx)
  const secret = await ctx.api.send<AppSecret>('PATCH', secretPath(ctx), { Regenerate: true }, ifMatch(form))
  return showSecretValue(ctx, form, loaded, secret, ['The old value no longer works.'])
}

async function deleteSecret(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const secret = requestedSecret(ctx, (await readApp(ctx)).secrets)
  await ctx.api.send('DELETE', secretPath(ctx), undefined, ifMatch(form))
  return confirmed(ctx, 'secretdeleted', secret)
}
