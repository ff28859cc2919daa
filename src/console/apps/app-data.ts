import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { ApiError, isApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import type { Crumb } from '../shared/frame.ts'
import { renderMessage } from '../shared/messages.ts'
import type { SecretUse } from './pages/model.ts'

const maxApps = 1_000

export type LoadedApp = Readonly<{
  app: App
  secrets: readonly SecretUse[]
  tag: string
}>

export const appPath = (appKey: string): string => `/console/apps/${encodeURIComponent(appKey)}`
export const apiPath = (appKey: string): string => `/developer/apps/${encodeURIComponent(appKey)}`

export const appsCrumb = ['Apps', '/console/apps'] as const
export const appCrumbs = ({ Name, AppKey }: App): readonly Crumb[] => [appsCrumb, [Name, appPath(AppKey)]]

/** All apps of the client, newest first. The list has no secrets, so reading it is not logged as a reveal. */
export async function readApps(ctx: PageContext): Promise<App[]> {
  return (await ctx.api.get<{ Data: App[] }>('/developer/apps', { $top: maxApps })).Data
}

/** One app from the list, because operation 12 would reveal its secrets. */
export async function readListedApp(ctx: PageContext): Promise<App> {
  const appKey = ctx.param('AppKey')
  const app = (await readApps(ctx)).find(({ AppKey }) => AppKey === appKey)
  if (!app) throw new ApiError(404, `App ${appKey} was not found.`)
  return app
}

export async function readApp(ctx: PageContext): Promise<LoadedApp> {
  const appKey = ctx.param('AppKey')
  // The tag first: a change during the other reads then causes a conflict instead of being overwritten.
  const tag = await ctx.api.etag(apiPath(appKey))
  const [app, secrets] = await Promise.all([readListedApp(ctx), readSecretUses(ctx, appKey)])
  return { app, secrets, tag }
}

/** Validity and last use of each secret, oldest first, without the secrets. */
export async function readSecretUses(ctx: PageContext, appKey: string): Promise<SecretUse[]> {
  const path = `/x/v1/apps/${encodeURIComponent(appKey)}/usage`
  const { Data } = await ctx.api.get<{ Data: Omit<SecretUse, 'nth'>[] }>(path)
  return Data.map((secret, index) => ({ ...secret, nth: index + 1 }))
}

/** The If-Match header with the version that the form was shown with. */
export function ifMatch(form: URLSearchParams): Record<string, string> {
  const tag = form.get('tag')
  return tag ? { 'if-match': tag } : {}
}

export async function withAppErrors(ctx: PageContext, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!isApiError(error, 403, 404, 409, 412)) throw error
    return renderMessage(ctx, { status: error.status, ...messageFor(error, appPath(ctx.param('AppKey'))) })
  }
}

function messageFor({ status, messages }: ApiError, href: string) {
  const text = messages.join(' ')
  switch (status) {
    case 404:
      return { title: 'Not found', text, href: '/console/apps', action: 'Back to your apps' }
    case 403:
      return { title: 'Not allowed', text, href, action: 'Back to the app' }
    case 412:
      return {
        title: 'The app was changed in the meantime',
        text: 'Nothing was changed: the app was modified in another tab or by another user after you opened the page. Review it and try again.',
        href,
        action: 'Show the current version',
      }
    default:
      return { title: 'Nothing was changed', text, href, action: 'Back to the app' }
  }
}
