import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, writerOf } from '../access/caller.ts'
import { appendAudit } from '../audit/append.ts'
import type { Clock } from '../core/clock.ts'
import { notFound, Problem } from '../core/problem.ts'
import { announce, type ChangeFeed } from '../database/changes.ts'
import type { Db, Trx } from '../database/open.ts'
import { etagOf, requireIfMatch, sendWithEtag } from '../http/output/caching.ts'
import type { App } from './api/schema.ts'
import { appView, revealsSecret, type ViewOptions } from './api/view.ts'
import type { SecretsMode } from './secrets.ts'
import { findOwnApp, lockOwnApp, type OwnApp } from './store/manage.ts'

/** What the management of apps is made of. */
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

/** What a change did, for the log: never a secret. */
export type Done = Readonly<Record<string, string | number | boolean>>
type Change<Result> = Readonly<{ result: Result; done: Done | undefined }>

/** A tag over the whole of what operation 12 answers (contract §8). */
export const tagOf = (app: App): string => etagOf([JSON.stringify(app)])

/** Reads and changes apps of the caller's client, each in one transaction with its log line; every node hears of a change. */
export class AppService {
  readonly parts: AppDependencies

  constructor(parts: AppDependencies) {
    this.parts = parts
  }

  viewOptions(request: FastifyRequest): ViewOptions {
    const { publicUrl, secretKey, mode } = this.parts
    return { publicUrl, secretKey, mode, showsSecrets: callerOf(request).mayWrite }
  }

  /** An app of the caller's client, of the version that If-Match names where there is one. */
  async readMatching(request: FastifyRequest, appKey: string): Promise<OwnApp> {
    const app = await this.read(request, appKey)
    this.#requireIfMatch(request, app)
    return app
  }

  /** An app of the caller's client. */
  async read(request: FastifyRequest, appKey: string): Promise<OwnApp> {
    const app = await findOwnApp(this.parts.db, callerOf(request).ClientKey, appKey)
    if (!app) throw unknownApp(appKey)
    return app
  }

  /** Operations 12 and 25. */
  async answer(request: FastifyRequest, reply: FastifyReply, appKey: string): Promise<App | FastifyReply> {
    const app = await this.read(request, appKey)
    const view = appView(this.viewOptions(request), app)
    // The tag is for changes; an answer with secrets is not for any cache.
    const answer = sendWithEtag(request, reply, tagOf(view), () => view, 'no-store')
    if (answer === view) await this.logReveals(request, [app])
    return answer
  }

  /** Every time that a secret is told again is in the log (contract §4). */
  async logReveals(request: FastifyRequest, apps: readonly OwnApp[]): Promise<void> {
    const viewOptions = this.viewOptions(request)
    for (const app of apps)
      if (revealsSecret(viewOptions, app))
        await appendAudit(this.parts.db, {
          at: this.parts.clock.now(),
          kind: 'SecretRevealed',
          ...whoIs(request),
          app: app.appKey,
          detail: { secrets: app.secrets.map(({ id }) => id).join(', ') },
        })
  }

  /** Changes one app that nobody else changes meanwhile; all of it or nothing. */
  async change<Result>(
    request: FastifyRequest,
    appKey: string,
    work: (trx: Trx, app: OwnApp, now: Temporal.Instant) => Promise<Change<Result>>,
  ): Promise<Result> {
    const { ClientKey } = writerOf(request)
    const { db, clock, feed } = this.parts
    const now = clock.now()
    const result = await db.transaction().execute(async (trx) => {
      const app = await lockOwnApp(trx, ClientKey, appKey)
      if (!app) throw unknownApp(appKey)
      this.#requireIfMatch(request, app)
      const { result, done } = await work(trx, app, now)
      if (done) {
        await this.log(trx, request, appKey, now, done)
        await announce(trx, [{ topic: 'app', key: appKey }])
      }
      return result
    })
    await feed.poll()
    return result
  }

  log(trx: Trx, request: FastifyRequest, appKey: string, at: Temporal.Instant, detail: Done): Promise<void> {
    return appendAudit(trx, { at, kind: 'AppChanged', ...whoIs(request), app: appKey, detail })
  }

  #requireIfMatch(request: FastifyRequest, app: OwnApp): void {
    const ifMatch = request.headers['if-match']
    if (ifMatch !== undefined) requireIfMatch(ifMatch, tagOf(appView(this.viewOptions(request), app)))
  }
}

export function whoIs(request: FastifyRequest) {
  const { UserKey, sessionId } = callerOf(request)
  return { user: UserKey, session: sessionId, address: request.ip }
}

/** The same for an app that is not there and for somebody else's (contract §8). */
const unknownApp = (appKey: string): Problem => notFound(`App ${appKey}`)

export const inactive = (): Problem =>
  new Problem('AppInactive', 'The app is inactive. Make it active first: PATCH it with IsActive true.')

export const tooMany = (what: string, most: number, remedy = 'Remove one that is no longer used.'): Problem =>
  new Problem('LimitReached', `There are at most ${most} ${what}. ${remedy}`)
