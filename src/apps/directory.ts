import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { admitsOrigin, originsOf } from './rules/origins.ts'
import { type AppFacts, listActiveRedirectUris, readApp } from './store/apps.ts'

const maxApps = 10_000
/** What is not of this form is nobody's, and is not worth a question to the database. */
const appKeyForm = /^[0-9a-f]{32}$/

/** Apps as the authorization server sees them, kept in memory until the change feed says that one changed.
 *  While the feed is silent nothing is taken from memory: the database is asked, and answers or is away. */
export class AppDirectory {
  readonly #db: Db
  readonly #feed: ChangeFeed
  readonly #apps = new Map<string, Promise<AppFacts | undefined>>()
  #origins = new Set<string>()

  constructor(db: Db, feed: ChangeFeed) {
    this.#db = db
    this.#feed = feed
    feed.on('app', async (appKey) => {
      this.#apps.delete(appKey)
      await this.#loadOrigins()
    })
    feed.onGap(() => this.load())
  }

  async load(): Promise<void> {
    this.#apps.clear()
    await this.#loadOrigins()
  }

  find(appKey: string): Promise<AppFacts | undefined> {
    if (!appKeyForm.test(appKey)) return Promise.resolve(undefined)
    if (!this.#feed.isCurrentWithin(2)) return readApp(this.#db, appKey)
    const known = this.#apps.get(appKey)
    if (known) return known
    const read = readApp(this.#db, appKey)
    if (this.#apps.size >= maxApps) this.#apps.clear()
    this.#apps.set(appKey, read)
    read.catch(() => this.#apps.delete(appKey))
    return read
  }

  /** Whether some active app has a page at this origin. */
  hasOrigin(origin: string): boolean {
    return admitsOrigin(this.#origins, origin)
  }

  async #loadOrigins(): Promise<void> {
    const rows = await listActiveRedirectUris(this.#db)
    this.#origins = new Set(rows.flatMap(({ uri, flow }) => originsOf([uri], flow)))
  }
}
