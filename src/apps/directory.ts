import { LRUCache } from 'lru-cache'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { allowsOrigin, originsOf } from './rules/origins.ts'
import { listActiveRedirectUris, readApp, type StoredApp } from './store/apps.ts'

const maxApps = 10_000
/** No app has a key of another form, so the database need not be asked. */
const appKeyForm = /^[0-9a-f]{32}$/

/** Apps as the authorization server reads them, cached until the change feed reports a change. While the feed is silent the
 *  cache is not trusted and the database is read. */
export class AppDirectory {
  readonly #db: Db
  readonly #feed: ChangeFeed
  readonly #apps = new LRUCache<string, Promise<StoredApp | undefined>>({ max: maxApps })
  /** The apps that have been read. */
  readonly #known = new LRUCache<string, StoredApp>({ max: maxApps })
  #origins = new Set<string>()

  constructor(db: Db, feed: ChangeFeed) {
    this.#db = db
    this.#feed = feed
    feed.on('app', async (appKey) => {
      this.#apps.delete(appKey)
      this.#known.delete(appKey)
      await this.#loadOrigins()
    })
    feed.onGap(() => this.load())
  }

  async load(): Promise<void> {
    this.#apps.clear()
    this.#known.clear()
    await this.#loadOrigins()
  }

  find(appKey: string): Promise<StoredApp | undefined> {
    if (!appKeyForm.test(appKey)) return Promise.resolve(undefined)
    if (!this.#feed.isCurrentWithin(2)) return readApp(this.#db, appKey)
    const known = this.#apps.get(appKey)
    if (known) return known
    const read = readApp(this.#db, appKey)
    this.#apps.set(appKey, read)
    read.then(
      (app) => app && this.#apps.get(appKey) === read && this.#known.set(appKey, app),
      () => this.#apps.delete(appKey),
    )
    return read
  }

  /** The name of an app that was found before; undefined for others. */
  nameOf(appKey: string): string | undefined {
    return this.#known.get(appKey)?.name
  }

  /** Whether an active app has a page at this origin. */
  hasOrigin(origin: string): boolean {
    return allowsOrigin(this.#origins, origin)
  }

  async #loadOrigins(): Promise<void> {
    const rows = await listActiveRedirectUris(this.#db)
    this.#origins = new Set(rows.flatMap(({ uri, flow }) => originsOf(uri, flow)))
  }
}
