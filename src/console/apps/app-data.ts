import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { type Html, html } from '../../http/html/html.ts'
import { ApiError, catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Link } from '../shared/elements.ts'
import { hiddenField } from '../shared/fields.ts'
import { renderMessage } from '../shared/messages.ts'
import { activeFirst, type SecretUse } from './pages/model.ts'

const maxApps = 1_000

/** `fields` are the hidden fields of its forms: the form token and the version that is shown. */
export type LoadedApp = Readonly<{ app: App; secrets: readonly SecretUse[]; fields: Html }>

export const appPath = (appKey: string): string => `/console/apps/${encodeURIComponent(appKey)}`
export const apiPath = (appKey: string): string => `/developer/apps/${encodeURIComponent(appKey)}`

export const appsCrumb: Link = ['Apps', '/console/apps']
export const appCrumbs = ({ Name, AppKey }: App): readonly Link[] => [appsCrumb, [Name, appPath(AppKey)]]

/** All apps of the client, active ones first, each newest first. The list has no secrets, so reading it is not logged as a reveal. */
export const readApps = async (ctx: PageContext): Promise<App[]> =>
  activeFirst((await ctx.api.get<{ Data: App[] }>('/developer/apps', { $top: maxApps })).Data)

/** One app from the list, because operation 12 would reveal its secrets. */
export async function readListedApp(ctx: PageContext, appKey = ctx.param('AppKey')): Promise<App> {
  const app = (await readApps(ctx)).find(({ AppKey }) => AppKey === appKey)
  if (!app) throw new ApiError(404, `App ${appKey} was not found.`)
  return app
}

export async function readApp(ctx: PageContext, appKey = ctx.param('AppKey')): Promise<LoadedApp> {
  // The tag first: a change during the other reads then causes a conflict instead of being overwritten.
  const tag = await ctx.api.etag(apiPath(appKey))
  const [app, secrets] = await Promise.all([readListedApp(ctx, appKey), readSecretUses(ctx, appKey)])
  return { app, secrets, fields: html`${ctx.formToken}${hiddenField('tag', tag)}` }
}

/** Validity and last use of each secret, oldest first, without the secrets. */
export async function readSecretUses(ctx: PageContext, appKey: string): Promise<SecretUse[]> {
  const path = `/x/v1/apps/${encodeURIComponent(appKey)}/usage`
  const { Data } = await ctx.api.get<{ Data: SecretUse[] }>(path)
  return Data
}

/** The If-Match header with the version that the form was shown with. */
export function ifMatch(form: URLSearchParams): Record<string, string> {
  const tag = form.get('tag')
  return tag ? { 'if-match': tag } : {}
}

/** Wraps a handler: errors of the app become a message with a link back. */
export const withAppErrors =
  <Args extends unknown[]>(handler: (ctx: PageContext, ...args: Args) => Promise<FastifyReply>) =>
  (ctx: PageContext, ...args: Args): Promise<FastifyReply> =>
    handler(ctx, ...args).catch((error: unknown) => renderAppError(ctx, catchApiError(403, 404, 409, 412)(error)))

const changedMeanwhile =
  'Nothing was changed: the app was modified in another tab or by another user after you opened the page. Review it and try again.'

function renderAppError(ctx: PageContext, { status, messages }: ApiError): FastifyReply {
  const path = appPath(ctx.param('AppKey'))
  const message = (title: string, link: Link, text = messages.join(' ')) =>
    renderMessage(ctx, status, title, text, link)
  if (status === 404) return message('Not found', ['Back to your apps', '/console/apps'])
  if (status === 412)
    return message('The app was changed in the meantime', ['Show the current version', path], changedMeanwhile)
  return message(status === 403 ? 'Not allowed' : 'Nothing was changed', ['Back to the app', path])
}
