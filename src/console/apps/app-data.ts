import type { FastifyReply } from 'fastify'
import type { App } from '../../apps/api/schema.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { sayWhy } from '../shared/router.ts'
import { type Against, againstIn } from './pages/form-errors.ts'
import type { SecretUse } from './pages/model.ts'

/** The most that the API lists at once; a client has far fewer apps. */
const most = 1_000

export type AppSeen = Readonly<{
  app: App
  secrets: readonly SecretUse[]
  /** Names this very version, for If-Match: what is changed is what the page showed. */
  tag: string
}>

export const appPath = (appKey: string): string => `/console/apps/${encodeURIComponent(appKey)}`
export const apiPath = (appKey: string): string => `/developer/apps/${encodeURIComponent(appKey)}`

/** All apps of the client without their secrets, newest first: telling a secret is logged, and looking is no telling. */
export async function readApps(visit: Visit): Promise<App[]> {
  return (await visit.api.get<{ Data: App[] }>('/developer/apps', { $top: most })).Data
}

/** One app as its page shows it, again without telling a secret: operation 12 would, the list does not. */
export async function readApp(visit: Visit, appKey: string): Promise<AppSeen> {
  // The tag first: what changes while the rest is read is then refused, and not overlooked.
  const tag = await visit.api.tag(apiPath(appKey))
  const [apps, secrets] = await Promise.all([readApps(visit), readUses(visit, appKey)])
  const app = apps.find(({ AppKey }) => AppKey === appKey)
  if (!app) throw new ApiRefusal(404, JSON.stringify({ Message: `App ${appKey} was not found.` }))
  return { app, secrets, tag }
}

/** When each secret is valid and was last used, the oldest first, without the secrets themselves. */
export async function readUses(visit: Visit, appKey: string): Promise<SecretUse[]> {
  const path = `/x/v1/apps/${encodeURIComponent(appKey)}/usage`
  const { Data } = await visit.api.get<{ Data: Omit<SecretUse, 'nth'>[] }>(path)
  return Data.map((secret, index) => ({ ...secret, nth: index + 1 }))
}

/** The version that a form was shown with. */
export function ifMatch(form: URLSearchParams): Record<string, string> {
  const tag = form.get('tag')
  return tag ? { 'if-match': tag } : {}
}

/** Does what a button asks for. A refusal is told in its own words, with the way back to the app as it is now. */
export async function orBack(
  visit: Visit,
  appKey: string,
  work: () => Promise<FastifyReply>,
  href: string = appPath(appKey),
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![403, 404, 409, 412].includes(error.status)) throw error
    return sayWhy(visit, { status: error.status, ...wordsFor(error, href) })
  }
}

function wordsFor({ status, sentences }: ApiRefusal, href: string) {
  const sentence = sentences.join(' ')
  switch (status) {
    case 404:
      return { title: 'This is not here', sentence, href: '/console/apps', action: 'To your apps' }
    case 403:
      return { title: 'You may not do this', sentence, href, action: 'Back to the app' }
    case 412:
      return {
        title: 'The app has changed meanwhile',
        sentence:
          'Nothing was changed now: you in another tab, or somebody else, changed the app after you opened the page. Look at it again, then decide.',
        href,
        action: 'See it as it is now',
      }
    default:
      return { title: 'Nothing was changed', sentence, href, action: 'Back to the app' }
  }
}

/** A form with these fields was refused for what it says; anything else is not the form's to tell. */
export function saidAgainst(error: unknown, names: readonly string[]): Against {
  if (error instanceof ApiRefusal && (error.status === 400 || error.status === 409)) return againstIn(error, names)
  throw error
}
