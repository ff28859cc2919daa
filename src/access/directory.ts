import type { Caller } from '../core/caller.ts'
import { notFound } from '../core/problem.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { rightsOf } from './rules/legal-asset-types.ts'
import { type AccessView, accessView } from './rules/visibility.ts'
import { type ClientAccess, readClientAccess } from './store/identities.ts'

export type AccessAsk = Readonly<{ ClientKey?: string | undefined; AccountKey?: string | undefined }>

const mostClients = 10_000
const mostViewsOfClient = 200

/** A client whose access was read, and the views that were made of it; they are forgotten with it. */
class KnownClient {
  readonly ownerClientKey: string | null
  readonly #access: ClientAccess
  readonly #usersWithRights: ReadonlySet<string | null>
  readonly #views = new Map<string, AccessView>()

  constructor(access: ClientAccess) {
    this.#access = access
    this.ownerClientKey = access.ownerClientKey
    this.#usersWithRights = new Set(access.rights.map(({ userKey }) => userKey))
  }

  /** The view of a user of this client, or without a user the client's own; of all its accounts or of one. */
  view(userKey: string | null, accountKey: string | undefined): AccessView {
    // Users without rows of their own share the client's views.
    const key = `${this.#usersWithRights.has(userKey) ? (userKey ?? '') : ''} ${accountKey ?? ''}`
    const known = this.#views.get(key)
    if (known) return known
    const { rights, accounts } = this.#access
    const inQuestion = accountKey === undefined ? accounts : accounts.filter((one) => one.accountKey === accountKey)
    if (accountKey !== undefined && inQuestion.length === 0) throw notFound('AccountKey')
    const view = accessView(rightsOf(rights, userKey), inQuestion)
    if (this.#views.size >= mostViewsOfClient) this.#views.clear()
    this.#views.set(key, view)
    return view
  }
}

/** Whoever is gone from the database has no rights. */
const nobody = new KnownClient({ ownerClientKey: null, accounts: [], rights: [] })

/**
 * Who may see what, in memory, so that a request for reference data costs no question to the database. A client is
 * forgotten when the change feed names it. While the feed is silent what is here may be old; but then the bearer check
 * soon lets nobody come this far (contract §4), so rights outlive a revocation no longer than tokens do.
 */
export class AccessDirectory {
  readonly #db: Db
  readonly #most: number
  /** In order of use. A read stands here from its beginning: a change that comes meanwhile removes it, and what was
   *  read before the change is answered to those who wait for it and then known to nobody. */
  readonly #clients = new Map<string, Promise<KnownClient | undefined>>()

  constructor(db: Db, feed: ChangeFeed, most = mostClients) {
    this.#db = db
    this.#most = most
    feed.on('client', (clientKey) => void this.#clients.delete(clientKey))
    feed.onGap(() => this.#clients.clear())
  }

  /** What the caller may see and trade; 404 for a key of someone else's, the same as for one of nobody (contract §5). */
  async viewOf(caller: Caller, ask: AccessAsk): Promise<AccessView> {
    const clientKey = ask.ClientKey ?? caller.ClientKey
    if (!(await this.#isWithin(clientKey, caller.ClientKey))) throw notFound('ClientKey')
    const client = (await this.#find(clientKey)) ?? nobody
    // A user's own rows are of their own client; in another the client's rights count.
    return client.view(clientKey === caller.ClientKey ? caller.UserKey : null, ask.AccountKey)
  }

  /** Whether a client is the top one or below it. The data may go in a circle; we do not. */
  async #isWithin(clientKey: string, topClientKey: string): Promise<boolean> {
    const passed = new Set<string>()
    let key: string | null = clientKey
    while (key !== null && key !== topClientKey && !passed.has(key)) {
      passed.add(key)
      const client: KnownClient | undefined = await this.#find(key)
      key = client?.ownerClientKey ?? null
    }
    return key === topClientKey
  }

  #find(clientKey: string): Promise<KnownClient | undefined> {
    const known = this.#clients.get(clientKey)
    if (!known) return this.#read(clientKey)
    this.#clients.delete(clientKey)
    this.#clients.set(clientKey, known)
    return known
  }

  #read(clientKey: string): Promise<KnownClient | undefined> {
    const read = readClientAccess(this.#db, clientKey).then((access) => access && new KnownClient(access))
    this.#clients.set(clientKey, read)
    const forget = () => {
      if (this.#clients.get(clientKey) === read) this.#clients.delete(clientKey)
    }
    // A failure is not a fact, and clients that do not exist must not push out those that do.
    read.then((client) => (client ? this.#makeRoom() : forget()), forget)
    return read
  }

  /** The longest unused go first. */
  #makeRoom(): void {
    for (const clientKey of this.#clients.keys()) {
      if (this.#clients.size <= this.#most) return
      this.#clients.delete(clientKey)
    }
  }
}
