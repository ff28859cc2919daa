import type { Static } from 'typebox'
import { callerOf, writerOf } from '../../access/caller.ts'
import { invalid, Problem } from '../../core/problem.ts'
import type { Trx } from '../../database/open.ts'
import { sentQuery } from '../../http/input/query.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppDependencies, AppService, inactive, tagOf, whoIs } from '../app-service.ts'
import { makeNewApp } from '../new-app.ts'
import { requireRedirectUri } from '../redirect-uris.ts'
import { checkPatch, isTradingEnabled, levelsAfter, type Refusal } from '../rules/app-state.ts'
import { deactivateApp, endGrants } from '../store/changes.ts'
import * as store from '../store/manage.ts'
import { redirectUriRoutes, warn } from './redirect-uris.ts'
import * as schema from './schema.ts'
import { secretRoutes } from './secrets.ts'
import { appView } from './view.ts'

const path = '/developer/apps'
const tags = ['developer']

/** Operations 10 to 25: the apps of the caller's client, on the tables that the authorization server reads. */
export function appRoutes(api: Server, parts: AppDependencies): void {
  const service = new AppService(parts)
  const { db, baseUrl } = parts

  api.get(
    path,
    {
      schema: {
        operationId: 'listApps',
        summary: 'The apps of the client, newest first',
        description:
          'Those of everybody in the client of the caller. Secrets are told only when asked for, and that is logged.',
        tags,
        querystring: schema.AppsQuery,
        response: { 200: schema.AppsAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { $top: top, $skip: skip, $inlinecount, IncludeSecrets } = request.query
      const { ClientKey } = callerOf(request)
      const [{ apps, more }, count] = await Promise.all([
        store.listOwnApps(db, ClientKey, { top, skip }),
        $inlinecount === 'AllPages' ? store.countOwnApps(db, ClientKey) : undefined,
      ])
      if (IncludeSecrets) await service.logReveals(request, apps)
      const next =
        more && top > 0 ? nextLink(`${baseUrl}${path}`, sentQuery(request), { $skip: skip + top }) : undefined
      const viewOptions = service.viewOptions(request)
      const data = apps.map((app) => appView(viewOptions, app, IncludeSecrets))
      return feed({ data, count, next, maxRows: schema.appsPage.maxTop })
    },
  )

  api.post(
    path,
    {
      schema: {
        operationId: 'createApp',
        summary: 'Makes an app, with its first secret where its flow has one',
        description:
          'An app is what signs users in and calls in their name. It is active at once; to sign anybody in it needs a redirect URI. A Code ' +
          'app comes with a secret that is good for one year. Trading, asked for in live, waits for approval.',
        documented: { headers: ['Location', 'ETag', 'X-Redirect-Uri-Hint'], errors: ['LimitReached'] },
        tags,
        body: schema.NewApp,
        response: { 201: schema.App },
      },
    },
    async (request, reply) => {
      const { made, etag, warnings } = await createApp(service, request, request.body)
      const location = `${baseUrl}${path}/${made.AppKey}`
      return warn(reply, warnings).code(201).headers({ location, etag, 'cache-control': 'no-store' }).send(made)
    },
  )

  for (const [address, operationId, summary, description] of [
    [
      `${path}/:AppKey`,
      'getApp',
      'One app of the client',
      'With its redirect URIs and secrets. Its ETag is for If-Match of changes.',
    ],
    [
      `${path}/resource/:AppKey`,
      'getAppResource',
      'One app of the client, at its other address',
      'The same answer as at the address without `resource`.',
    ],
  ] as const)
    api.get(
      address,
      {
        schema: {
          operationId,
          summary,
          description,
          documented: { etag: true, errors: ['NoResultFound'] },
          tags,
          params: schema.AppParams,
          response: { 200: schema.App },
        },
      },
      async (request, reply) => service.answer(request, reply, request.params.AppKey),
    )

  api.patch(
    `${path}/:AppKey`,
    {
      schema: {
        operationId: 'updateApp',
        summary: 'Changes an app; an inactive one only as it is made active',
        description:
          'Members that are not sent stay as they are; all of one change happen together or not at all. Giving up trading ends the ' +
          'sessions that could trade.',
        documented: {
          ifMatch: true,
          errors: ['NoResultFound', 'AppInactive', 'UnableToActivateApp', 'PreconditionFailed'],
        },
        tags,
        params: schema.AppParams,
        body: schema.AppPatch,
      },
    },
    async (request, reply) => {
      const { body } = request
      await service.change(request, request.params.AppKey, (trx, app, now) =>
        patchApp(trx, app, body, parts.environment, now),
      )
      return reply.code(204).send()
    },
  )

  api.delete(
    `${path}/:AppKey`,
    {
      schema: {
        operationId: 'deactivateApp',
        summary: 'Deactivates an app: its sessions and tokens end',
        description:
          'Nobody can sign in by it any more. Nothing is lost: it can be made active again. Once more changes nothing.',
        documented: { ifMatch: true, errors: ['NoResultFound', 'PreconditionFailed'] },
        tags,
        params: schema.AppParams,
      },
    },
    async (request, reply) => {
      await service.change(request, request.params.AppKey, async (trx, { appKey, isActive }, now) => {
        if (isActive) await deactivateApp(trx, appKey, now)
        return { result: undefined, done: isActive ? { active: false } : undefined }
      })
      return reply.code(204).send()
    },
  )

  redirectUriRoutes(api, service)
  secretRoutes(api, service)
}

type Request = Parameters<AppService['log']>[1]

/** The app with its new secret whole, which operation 12 may not tell again; the tag is of what that one answers. */
async function createApp(
  service: AppService,
  request: Request,
  body: schema.NewApp,
): Promise<{ made: schema.App; etag: string; warnings: readonly string[] }> {
  const { ClientKey, UserKey } = writerOf(request)
  const { db, clock, feed: changes } = service.parts
  const { RedirectUri: uri } = body
  const warnings = uri === undefined ? [] : requireRedirectUri(uri, body.Flow, 'RedirectUri')
  const now = clock.now()
  const answer = await db.transaction().execute(async (trx) => {
    const making = {
      clientKey: ClientKey,
      createdBy: UserKey,
      who: whoIs(request),
      uris: uri === undefined ? [] : [uri],
    }
    const { appKey, secret } = await makeNewApp(trx, service.parts, body, making, now)
    const app = await store.findOwnApp(trx, ClientKey, appKey)
    if (!app) throw new Error('The app that was just made is not there.')
    const told = appView(service.viewOptions(request), app)
    const made = secret ? { ...told, Secrets: withPlain(told.Secrets, secret.id, secret.plain) } : told
    return { made, etag: tagOf(told), warnings }
  })
  await changes.poll()
  return answer
}

function withPlain(secrets: schema.AppSecret[] | undefined, id: number, Secret: string): schema.AppSecret[] {
  return (secrets ?? []).map((one) => (one.SecretId === id ? { ...one, Secret } : one))
}

const refusals: Record<Refusal, (app: store.OwnApp) => Problem> = {
  UseDelete: () => invalid({ IsActive: ['An app is deactivated by DELETE; leave IsActive out, or send true.'] }),
  AppInactive: inactive,
  UnableToActivateApp: ({ status }) =>
    new Problem(
      'UnableToActivateApp',
      status === 'OK'
        ? 'The app has no redirect URI; add one first, which an inactive app may have too.'
        : `The app is ${status}: whoever runs the service must approve it first.`,
    ),
}

async function patchApp(
  trx: Trx,
  app: store.OwnApp,
  asked: Static<typeof schema.AppPatch>,
  environment: AppDependencies['environment'],
  now: Temporal.Instant,
) {
  const { isActive, status, redirectUris } = app
  const refusal = checkPatch({ isActive, status, hasRedirectUri: redirectUris.length > 0 }, asked)
  if (refusal) throw refusals[refusal](app)
  const levels = levelsAfter(app, asked.IsTradingEnabled, environment)
  const asks = {
    name: asked.Name,
    description: asked.Description,
    isActive: asked.IsActive,
    status: levels.status,
    onlineLevel: levels.onlineLevel,
    offlineLevel: levels.offlineLevel,
  }
  const names = Object.keys(asks) as (keyof typeof asks)[]
  const changed = names.filter((name) => asks[name] !== undefined && asks[name] !== app[name])
  const fields: Partial<Pick<store.OwnApp, keyof typeof asks>> = Object.fromEntries(
    changed.map((name) => [name, asks[name]]),
  )
  await store.updateApp(trx, app.appKey, fields)
  // Tokens that may write are of the level that is gone.
  if (isTradingEnabled(app) && !isTradingEnabled({ ...app, ...fields }))
    await endGrants(trx, app.appKey, 'trading given up', now)
  return { result: undefined, done: changed.length > 0 ? fields : undefined }
}
