import type { FastifyReply } from 'fastify'
import type { AppSecret } from '../../apps/api/schema.ts'
import { html } from '../../http/html/html.ts'
import { ApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { PageRouter } from '../shared/router.ts'
import { apiPath, appCrumbs, appPath, ifMatch, type LoadedApp, readApp, withAppErrors } from './app-data.ts'
import { type FormErrors, formErrorsFrom, noErrors, statusFor } from './pages/form-errors.ts'
import { planRotation, type SecretUse, stateOf } from './pages/model.ts'
import {
  newSecretCard,
  requestedTimes,
  rotationNotes,
  secretForm,
  secretPage,
  type TimesEntry,
  timesOf,
} from './pages/secret-forms.ts'
import { stateTag } from './pages/secrets.ts'
import { rememberSubmit, submitOnce } from './submit-once.ts'

type SecretWork = (ctx: PageContext, form: URLSearchParams) => Promise<FastifyReply>

/** Adding, changing, rotating, regenerating and deleting secrets. Each form carries the version of the app it shows. */
export function appSecretRoutes(router: PageRouter): void {
  const path = '/console/apps/:AppKey/secrets'
  router.get(`${path}/new`, (ctx) => withAppErrors(ctx, () => showNew(ctx)))
  router.post(`${path}/new`, once(addSecret))
  router.post(`${path}/rotate`, once(rotate))
  router.get(`${path}/:SecretId`, (ctx) => withAppErrors(ctx, () => showSecret(ctx)))
  router.post(`${path}/:SecretId`, (ctx, form) => withAppErrors(ctx, () => changeSecret(ctx, form)))
  router.post(`${path}/:SecretId/regenerate`, once(regenerate))
  router.post(`${path}/:SecretId/delete`, (ctx, form) =>
    withAppErrors(ctx, async () => {
      await ctx.api.send('DELETE', secretPath(ctx), undefined, ifMatch(form))
      return ctx.redirect(`${ownPath(ctx)}?done=secretdeleted#secrets`)
    }),
  )
}

const once = (work: SecretWork) =>
  submitOnce(
    (ctx, form) => withAppErrors(ctx, () => work(ctx, form)),
    (ctx) => ({ href: `${ownPath(ctx)}#secrets`, action: 'Go to the app' }),
  )
const ownPath = (ctx: PageContext): string => appPath(ctx.param('AppKey'))
const secretsPath = (ctx: PageContext): string => `${apiPath(ctx.param('AppKey'))}/secrets`
const secretPath = (ctx: PageContext): string => `${secretsPath(ctx)}/${encodeURIComponent(ctx.param('SecretId'))}`

function typedIn(ctx: PageContext, form: URLSearchParams): TimesEntry {
  const { from = '', until = '', zone = ctx.zone } = Object.fromEntries(form)
  return { from, until, zone }
}

const fields = ['ValidFrom', 'ValidUntil']

async function showNew(ctx: PageContext, typed?: TimesEntry, errors: FormErrors = noErrors) {
  const { app, tag } = await readApp(ctx)
  const { validFrom, validUntil } = planRotation([], ctx.now)
  const oneYear = { ValidFrom: String(validFrom), ValidUntil: String(validUntil) }
  const form = {
    formToken: ctx.formToken,
    tag,
    action: `${ownPath(ctx)}/secrets/new`,
    entry: typed ?? timesOf(oneYear, ctx.zone),
    errors,
    button: 'Add secret',
    back: `${ownPath(ctx)}#secrets`,
  }
  const [crumbs, status] = [appCrumbs(app), statusFor(errors)]
  return ctx.render({ title: 'Add a secret', section: 'apps', crumbs, status, body: secretForm(form) })
}

async function addSecret(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(ctx, form)
  const times = requestedTimes(typed)
  if ('errors' in times) return showNew(ctx, typed, times.errors)
  const loaded = await readApp(ctx)
  try {
    return showSecretValue(ctx, form, loaded, await ctx.api.send('POST', secretsPath(ctx), times, ifMatch(form)))
  } catch (error) {
    return showNew(ctx, typed, formErrorsFrom(error, fields))
  }
}

/** Not a redirect, because the secret may be shown only once. Nothing that could fail runs before it. */
function showSecretValue(
  ctx: PageContext,
  form: URLSearchParams,
  { app }: LoadedApp,
  { Secret = '', ValidUntil }: AppSecret,
  notes: readonly string[] = [],
): FastifyReply {
  rememberSubmit(ctx, form)
  const { zone, deps } = ctx
  const card = newSecretCard({ secret: Secret, validUntil: ValidUntil, zone, mode: deps.secretsMode, notes })
  return ctx.render({
    title: `New secret of ${app.Name}`,
    section: 'apps',
    crumbs: appCrumbs(app),
    body: html`${card}<p><a class="button" href="${ownPath(ctx)}#secrets">Go to the app</a></p>`,
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
    const isDone = await ctx.api.send('PATCH', `${secretsPath(ctx)}/${secret.SecretId}`, end).then(
      () => true,
      () => false,
    )
    if (isDone) done.push(secret)
  }
  return showSecretValue(ctx, form, loaded, created, rotationNotes(plan, done, ctx.zone))
}

async function showSecret(ctx: PageContext, typed?: TimesEntry, errors: FormErrors = noErrors) {
  const loaded = await readApp(ctx)
  const secret = requestedSecret(ctx, loaded)
  const valid = loaded.secrets.filter((one) => stateOf(one, ctx.now) === 'valid')
  return ctx.render({
    title: `Secret ${secret.nth}`,
    section: 'apps',
    crumbs: appCrumbs(loaded.app),
    aside: html`${stateTag(secret, ctx.now)}<span class="small quiet">ID ${secret.SecretId}</span>`,
    status: statusFor(errors),
    body: secretPage({
      formToken: ctx.formToken,
      tag: loaded.tag,
      action: `${ownPath(ctx)}/secrets/${secret.SecretId}`,
      entry: typed ?? timesOf(secret, ctx.zone),
      errors,
      button: 'Save',
      back: `${ownPath(ctx)}#secrets`,
      isLastValid: valid.length === 1 && valid[0] === secret,
    }),
  })
}

function requestedSecret(ctx: PageContext, { secrets }: LoadedApp): SecretUse {
  const found = secrets.find(({ SecretId }) => String(SecretId) === ctx.param('SecretId'))
  if (!found) throw new ApiError(404, 'This secret no longer exists.')
  return found
}

async function changeSecret(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const typed = typedIn(ctx, form)
  const times = requestedTimes(typed, requestedSecret(ctx, await readApp(ctx)))
  if ('errors' in times) return showSecret(ctx, typed, times.errors)
  try {
    await ctx.api.send('PATCH', secretPath(ctx), times, ifMatch(form))
  } catch (error) {
    return showSecret(ctx, typed, formErrorsFrom(error, fields))
  }
  return ctx.redirect(`${ownPath(ctx)}?done=secretchanged#secrets`)
}

async function regenerate(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const loaded = await readApp(ctx)
  const secret = await ctx.api.send<AppSecret>('PATCH', secretPath(ctx), { Regenerate: true }, ifMatch(form))
  return showSecretValue(ctx, form, loaded, secret, ['The old value no longer works.'])
}
