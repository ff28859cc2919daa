import { LRUCache } from 'lru-cache'
import type { Caller } from '../core/caller.ts'
import { notFound } from '../core/problem.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { rightsOf } from './rules/legal-asset-types.ts'
import { type AccessRight, type AccessView, accessView } from './rules/visibility.ts'
import { type ClientAccess, readAccessOf, readClientAccess } from './store/identities.ts'

export type AccessAsk = Readonly<{ ClientKey?: string | undefined; AccountKey?: string | undefined }>

type OfClient = Readonly<{ clientKey: string }>

const maxClients = 10_000
const maxViewsOfClient = 200

/** The access rights of a client, and the views computed from them. */
class KnownClient {
  readonly access: ClientAccess
  readonly #usersWithRights: ReadonlySet<string | null>
  readonly #views = new LRUCache<string, AccessView>({ max: maxViewsOfClient })

  constructor(access: ClientAccess) {
    this.access = access
    this.#usersWithRights = new Set(access.rights.map(({ userKey }) => userKey))
  }

  /** The view of a user, or of the client itself, on all its accounts or on one. */
  view(userKey: string | null, accountKey: string | undefined): AccessView {
    // Users without rights of their own share the client's views.
    const key = `${this.#usersWithRights.has(userKey) ? (userKey ?? '') : ''} ${accountKey ?? ''}`
    const known = this.#views.get(key)
    if (known) return known
    const { rights, accounts } = this.access
    const selected = accountKey === undefined ? accounts : accounts.filter((one) => one.accountKey === accountKey)
    if (accountKey !== undefined && selected.length === 0) throw notFound('AccountKey')
    const view = accessView(rightsOf(rights, userKey), selected)
    this.#views.set(key, view)
    return view
  }
}

/** A client that is no longer in the database has no rights. */
const removedClient = new KnownClient({ ownerClientKey: null, accounts: [], rights: [] })

/**
 * Caches access rights, so that reference data needs no query per request. The change feed invalidates a client. If the
 * feed is down, the bearer check soon rejects every token (§4.12), so stale rights never outlive a revocation.
 */
export class AccessDirectory {
  readonly #db: Db
  readonly #clients: LRUCache<string, KnownClient>
  /** A change removes the reads in progress too, so that an outdated result is not kept. */
  readonly #reads = new Map<string, Promise<KnownClient | undefined>>()

  constructor(db: Db, feed: ChangeFeed, max = maxClients) {
    this.#db = db
    this.#clients = new LRUCache({ max })
    feed.on('client', (clientKey) => {
      this.#clients.delete(clientKey)
      this.#reads.delete(clientKey)
    })
    feed.onGap(() => {
      this.#clients.clear()
      this.#reads.clear()
    })
  }

  /** Returns what the caller may see and trade. An unknown key and another client's key both give 404 (§5.2). */
  async viewOf(caller: Caller, ask: AccessAsk): Promise<AccessView> {
    const clientKey = ask.ClientKey ?? caller.ClientKey
    await this.visible(caller, { clientKey }, 'ClientKey')
    const client = (await this.#find(clientKey)) ?? removedClient
    // A user's own rights apply in their own client; in a sub-client, the client's rights apply.
    return client.view(clientKey === caller.ClientKey ? caller.UserKey : null, ask.AccountKey)
  }

  /** Returns what belongs to the caller's client or to one below it. Anything else is rejected like an unknown key. */
  async visible<Owned extends OfClient>(caller: Caller, owned: Owned | undefined, parameter: string): Promise<Owned> {
    if (!owned || !(await this.#isWithin(owned.clientKey, caller.ClientKey))) throw notFound(parameter)
    return owned
  }

  /** The rights of a user in their client; without a user, the client's own. */
  async rightsIn(clientKey: string, userKey: string | null): Promise<AccessRight[]> {
    return rightsOf((await this.#find(clientKey))?.access.rights ?? [], userKey)
  }

  /** The caller's rights in a client: their own in their client, the client's in one below it. */
  callersRightsIn(caller: Caller, clientKey: string): Promise<AccessRight[]> {
    return this.rightsIn(clientKey, clientKey === caller.ClientKey ? caller.UserKey : null)
  }

  /** Starts to read the clients of a list in one statement, unless they are known. */
  prepare(owned: readonly OfClient[]): void {
    const keys = new Set(owned.map(({ clientKey }) => clientKey))
    const unknown = [...keys].filter((key) => !this.#clients.has(key) && !this.#reads.has(key))
    if (unknown.length < 2) return
    const read = readAccessOf(this.#db, unknown)
    for (const key of unknown)
      this.#remember(
        key,
        read.then((found) => found.get(key)),
      )
  }

  /** Whether a client is the top one or below it. Stops at a cycle in the data. */
  async #isWithin(clientKey: string, topClientKey: string): Promise<boolean> {
    const visited = new Set<string>()
    let key: string | null = clientKey
    while (key !== null && key !== topClientKey && !visited.has(key)) {
      visited.add(key)
      const client: KnownClient | undefined = await this.#find(key)
      key = client?.access.ownerClientKey ?? null
    }
    return key === topClientKey
  }

  async #find(clientKey: string): Promise<KnownClient | undefined> {
    return this.#clients.get(clientKey) ?? this.#reads.get(clientKey) ?? this.#read(clientKey)
  }

  #read(clientKey: string): Promise<KnownClient | undefined> {
    return this.#remember(clientKey, readClientAccess(this.#db, clientKey))
  }

  /** Caches neither failures nor unknown clients, which would evict known ones. */
  #remember(clientKey: string, reading: Promise<ClientAccess | undefined>): Promise<KnownClient | undefined> {
    const read = reading.then((access) => access && new KnownClient(access))
    this.#reads.set(clientKey, read)
    const finish = (client?: KnownClient) => {
      if (this.#reads.get(clientKey) !== read) return
      this.#reads.delete(clientKey)
      if (client) this.#clients.set(clientKey, client)
    }
    read.then(finish, () => finish())
    return read
  }
}
