import { actorOf, callerOf, writerOf } from '../../access/caller.ts'
import { lockUserOf } from '../../access/store/sessions.ts'
import { appInactive, invalid, invalidToken, Problem } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import { operation } from '../../http/operation.ts'
import { sendWithEtag } from '../../http/output/caching.ts'
import { feed, nextPage } from '../../http/output/feed.ts'
import { type AppCall, type AppDependencies, appTag, type Change } from '../app-service.ts'
import { addApp } from '../new-app.ts'
import { checkPatch, isTradingEnabled, levelsAfter, type PatchError } from '../rules/app-state.ts'
import type { StoredApp } from '../store/apps.ts'
import { deactivateApp as deactivate, endGrants } from '../store/changes.ts'
import * as store from '../store/manage.ts'
import { addHint, requireRedirectUri } from './redirect-uris.ts'
import * as schema from './schema.ts'
import { appView } from './view.ts'

const path = '/developer/apps'
const oneApp = { path: `${path}/:AppKey`, params: schema.AppParams } as const

export const listApps = operation({
  method: 'GET',
  path,
  operationId: 'listApps',
  summary: 'List apps',
  description:
    'Returns the apps of the caller’s client, newest first, whichever of its users created them. Secrets are included only on ' +
    'request, and reading them is logged.',
  query: schema.AppsQuery,
  responses: { 200: schema.AppFeed },
})

export async function handleListApps({ service, request, reply }: AppCall<typeof listApps>) {
  const { db, baseUrl } = service.deps
  const { $top: top, $skip: skip, $inlinecount, IncludeSecrets } = request.query
  const { ClientKey } = callerOf(request)
  const [{ apps, more }, count] = await Promise.all([
    store.listOwnApps(db, ClientKey, { top, skip }),
    $inlinecount === 'AllPages' ? store.countOwnApps(db, ClientKey) : undefined,
  ])
  if (IncludeSecrets) await service.logReveals(request, apps)
  const options = service.viewOptions(request)
  reply.header('cache-control', 'no-store')
  return feed({
    data: apps.map((app) => appView(options, app, IncludeSecrets)),
    count,
    next: nextPage(request, `${baseUrl}${path}`, more),
    maxRows: schema.appsPage.maxTop,
  })
}

export const createApp = operation({
  method: 'POST',
  path,
  operationId: 'createApp',
  permission: 'manageApps',
  summary: 'Create an app',
  description:
    'Creates an app, which signs users in and calls the API on their behalf. It is active immediately, but needs a redirect URI ' +
    'before users can sign in. A Code app gets a first secret, valid for one year. In live, trading waits for approval.',
  body: schema.NewApp,
  responses: { 201: schema.App },
  errors: ['LimitReached'],
  documented: { headers: ['Location', 'ETag', 'X-Redirect-Uri-Hint'] },
})

/** Responds with the complete secret, even where operation 12 will not. The ETag is that of operation 12. */
export async function handleCreateApp({ service, request, reply }: AppCall<typeof createApp>) {
  const caller = writerOf(request)
  const { ClientKey: clientKey, UserKey: createdBy } = caller
  const { db, clock, feed: changes, baseUrl } = service.deps
  const { RedirectUri: uri, Flow } = request.body
  const hints = uri === undefined ? [] : requireRedirectUri(uri, Flow, 'RedirectUri')
  const owner = { clientKey, createdBy, actor: actorOf(request) }
  const { view, secret } = await db.transaction().execute(async (trx) => {
    const uris = uri === undefined ? [] : [uri]
    const { appKey, secret } = await addApp(trx, service.deps, request.body, owner, uris, clock.now())
    // After the client, as in imports: a restore or an import may have removed both.
    if (!(await lockUserOf(trx, caller))) throw invalidToken()
    const app = await store.findOwnApp(trx, clientKey, appKey)
    if (!app) throw new Error('The app that was just created cannot be read.')
    return { view: appView(service.viewOptions(request), app), secret }
  })
  await changes.poll()
  const location = `${baseUrl}${path}/${view.AppKey}`
  return addHint(reply, hints)
    .code(201)
    .headers({ location, etag: appTag(view), 'cache-control': 'no-store' })
    .send(secret ? { ...view, Secrets: view.Secrets?.map((only) => ({ ...only, Secret: secret.plain })) } : view)
}

export const getApp = operation({
  method: 'GET',
  ...oneApp,
  operationId: 'getApp',
  summary: 'Get an app',
  description: 'Returns an app with its redirect URIs and secrets. Send its ETag as If-Match with changes.',
  responses: { 200: schema.App },
  errors: ['NoResultFound'],
  documented: { etag: true },
})

export const getAppResource = operation({
  ...getApp,
  path: `${path}/resource/:AppKey`,
  operationId: 'getAppResource',
  summary: 'Get an app (alternative path)',
  description: 'Returns the same as the path without `resource`.',
})

export async function handleGetApp({ service, request, reply }: AppCall<typeof getApp | typeof getAppResource>) {
  const app = await service.read(request, request.params.AppKey)
  const view = appView(service.viewOptions(request), app)
  // The tag is for If-Match only: a response with secrets must not be cached.
  const response = sendWithEtag(request, reply, appTag(view), () => view, 'no-store')
  if (response === view) await service.logReveals(request, [app])
  return response
}

export const updateApp = operation({
  method: 'PATCH',
  ...oneApp,
  operationId: 'updateApp',
  permission: 'manageApps',
  summary: 'Update an app',
  description:
    'Changes the members that are sent, all of them or none. An inactive app accepts only a request that reactivates it. ' +
    'Giving up trading ends the sessions that could trade.',
  body: schema.AppPatch,
  errors: ['NoResultFound', 'AppInactive', 'UnableToActivateApp', 'PreconditionFailed'],
  documented: { ifMatch: true },
})

export async function handleUpdateApp({ service, request, reply }: AppCall<typeof updateApp>) {
  await service.change(request, request.params.AppKey, (trx, app, now) =>
    patchApp(trx, app, request.body, service.deps.environment, now),
  )
  return reply.code(204).send()
}

const patchErrors: Record<PatchError, (app: StoredApp) => Problem> = {
  UseDelete: () => invalid({ IsActive: ['Must be true or omitted. Send DELETE to deactivate the app.'] }),
  AppInactive: appInactive,
  UnableToActivateApp: ({ status }) =>
    new Problem(
      'UnableToActivateApp',
      status === 'OK'
        ? 'The app has no redirect URI. Add one first; an inactive app accepts it.'
        : `The app is ${status}: an operator of the service must approve it first.`,
    ),
}

async function patchApp(
  trx: Trx,
  app: StoredApp,
  { Name: name, Description: description, IsActive: isActive, IsTradingEnabled }: schema.AppPatch,
  environment: AppDependencies['environment'],
  now: Temporal.Instant,
): Promise<Change<undefined>> {
  const error = checkPatch({ ...app, hasRedirectUri: app.redirectUris.length > 0 }, isActive)
  if (error) throw patchErrors[error](app)
  const { status, onlineLevel, offlineLevel } = levelsAfter(app, IsTradingEnabled, environment)
  const wanted = { name, description, isActive, status, onlineLevel, offlineLevel }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const changed = names.filter((name) => wanted[name] !== undefined && wanted[name] !== app[name])
  const fields: Partial<Pick<StoredApp, keyof typeof wanted>> = Object.fromEntries(
    changed.map((name) => [name, wanted[name]]),
  )
  if (changed.length > 0) await store.updateApp(trx, app.appKey, fields)
  // Issued tokens still carry the old level, so their sessions end.
  if (isTradingEnabled(app) && !isTradingEnabled({ ...app, ...fields }))
    await endGrants(trx, app.appKey, 'trading given up', now)
  return { result: undefined, detail: changed.length > 0 ? fields : undefined }
}

export const deactivateApp = operation({
  method: 'DELETE',
  ...oneApp,
  operationId: 'deactivateApp',
  permission: 'manageApps',
  summary: 'Deactivate an app',
  description:
    'Ends the sessions and tokens of the app and blocks new sign-ins. Nothing is deleted: the app can be reactivated. ' +
    'Deactivating an inactive app changes nothing.',
  errors: ['NoResultFound', 'PreconditionFailed'],
  documented: { ifMatch: true },
})

export async function handleDeactivateApp({ service, request, reply }: AppCall<typeof deactivateApp>) {
  await service.change(request, request.params.AppKey, async (trx, { appKey, isActive }, now) => {
    if (isActive) await deactivate(trx, appKey, now)
    return { result: undefined, detail: isActive ? { active: false } : undefined }
  })
  return reply.code(204).send()
}
