import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, callerOf, writerOf } from '../access/caller.ts'
import { appendAudit } from '../audit/append.ts'
import type { Clock } from '../core/clock.ts'
import { notFound, Problem } from '../core/problem.ts'
import { allows } from '../core/rights/permissions.ts'
import { announce, type ChangeFeed } from '../database/changes.ts'
import type { Db, Trx } from '../database/open.ts'
import type { Operation, RequestOf } from '../http/operation.ts'
import { etagOf, requireIfMatch } from '../http/output/caching.ts'
import type { App } from './api/schema.ts'
import { appView, revealsSecret, type ViewOptions } from './api/view.ts'
import type { SecretsMode } from './secrets.ts'
import type { StoredApp } from './store/apps.ts'
import { findOwnApp, lockOwnApp } from './store/manage.ts'

export type AppDependencies = Readonly<{
  db: Db
  clock: Clock
  feed: ChangeFeed
  secretKey: Buffer
  mode: SecretsMode
  environment: 'sim' | 'live'
  publicUrl: string
  baseUrl: string
}>

/** What a change did, for the audit log. Never contains a secret. */
export type ChangeDetail = Readonly<Record<string, string | number | boolean>>
/** Without `detail` nothing changed: no audit entry, no notification. */
export type Change<Result> = Readonly<{ result: Result; detail: ChangeDetail | undefined }>

/** A tag of the whole response of operation 12 (§8.6). */
export const appTag = (app: App): string => etagOf([JSON.stringify(app)])

/** Reads and changes the apps of the caller's client. A change is one transaction with its audit entry. */
export class AppService {
  readonly deps: AppDependencies

  constructor(deps: AppDependencies) {
    this.deps = deps
  }

  viewOptions(request: FastifyRequest): ViewOptions {
    const { publicUrl, secretKey, mode } = this.deps
    return { publicUrl, secretKey, mode, showsSecrets: allows(callerOf(request), 'manageApps') }
  }

  urlOf(path: string, appKey: string): string {
    return `${this.deps.baseUrl}${path.replace(':AppKey', appKey)}`
  }

  async read(request: FastifyRequest, appKey: string): Promise<StoredApp> {
    const app = await findOwnApp(this.deps.db, callerOf(request).ClientKey, appKey)
    if (!app) throw unknownApp(appKey)
    return app
  }

  /** Also rejects the request if If-Match names another version. */
  async readMatching(request: FastifyRequest, appKey: string): Promise<StoredApp> {
    const app = await this.read(request, appKey)
    this.#requireMatch(request, app)
    return app
  }

  /** Logs every response that contains a complete secret, except the one that creates it (§8.4). */
  async logReveals(request: FastifyRequest, apps: readonly StoredApp[]): Promise<void> {
    const options = this.viewOptions(request)
    for (const app of apps)
      if (revealsSecret(options, app))
        await appendAudit(this.deps.db, {
          at: this.deps.clock.now(),
          kind: 'SecretRevealed',
          ...actorOf(request),
          app: app.appKey,
          detail: { secrets: app.secrets.map(({ id }) => id).join(', ') },
        })
  }

  async change<Result>(
    request: FastifyRequest,
    appKey: string,
    work: (trx: Trx, app: StoredApp, now: Temporal.Instant) => Promise<Change<Result>>,
  ): Promise<Result> {
    const { ClientKey } = writerOf(request)
    const { db, clock, feed } = this.deps
    const now = clock.now()
    const result = await db.transaction().execute(async (trx) => {
      const app = await lockOwnApp(trx, ClientKey, appKey)
      if (!app) throw unknownApp(appKey)
      this.#requireMatch(request, app)
      const { result, detail } = await work(trx, app, now)
      if (detail) {
        await appendAudit(trx, { at: now, kind: 'AppChanged', ...actorOf(request), app: appKey, detail })
        await announce(trx, [{ topic: 'app', key: appKey }])
      }
      return result
    })
    await feed.poll()
    return result
  }

  #requireMatch(request: FastifyRequest, app: StoredApp): void {
    const ifMatch = request.headers['if-match']
    if (ifMatch !== undefined) requireIfMatch(ifMatch, appTag(appView(this.viewOptions(request), app)))
  }
}

export type AppCall<O extends Operation> = Readonly<{ service: AppService; request: RequestOf<O>; reply: FastifyReply }>

/** The same for a missing app and another client's (§8.1). */
const unknownApp = (appKey: string): Problem => notFound(`App ${appKey}`)

export const limitReached = (what: string, max: number, remedy = 'Delete one that is no longer used.'): Problem =>
  new Problem('LimitReached', `The limit is ${max} ${what}. ${remedy}`)
