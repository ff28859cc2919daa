import { LRUCache } from 'lru-cache'
import type { AssetType } from '../core/asset-type.ts'
import { type MaybePromise, whenKnown } from '../core/async/maybe-promise.ts'
import type { Caller } from '../core/caller.ts'
import { notFound } from '../core/problem.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { ClientCache } from './client-cache.ts'
import { legalAssetTypes, rightsOf } from './rules/legal-asset-types.ts'
import { type AccessView, accessView } from './rules/visibility.ts'
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
  readonly #assetTypes = new LRUCache<string, readonly AssetType[]>({ max: maxViewsOfClient })

  constructor(access: ClientAccess) {
    this.access = access
    this.#usersWithRights = new Set(access.rights.map(({ userKey }) => userKey))
  }

  /** The view of a user, or of the client itself, on all its accounts or on one. */
  view(userKey: string | null, accountKey: string | undefined): AccessView {
    const key = this.#keyOf(userKey, accountKey)
    const known = this.#views.get(key)
    if (known) return known
    const { rights, accounts } = this.access
    const selected = accountKey === undefined ? accounts : accounts.filter((one) => one.accountKey === accountKey)
    if (accountKey !== undefined && selected.length === 0) throw notFound('AccountKey')
    const view = accessView(rightsOf(rights, userKey), selected)
    this.#views.set(key, view)
    return view
  }

  legalAssetTypes(userKey: string | null, accountKey: string | undefined): readonly AssetType[] {
    const key = this.#keyOf(userKey, accountKey)
    const known = this.#assetTypes.get(key)
    if (known) return known
    const assetTypes = legalAssetTypes(rightsOf(this.access.rights, userKey), accountKey)
    this.#assetTypes.set(key, assetTypes)
    return assetTypes
  }

  /** Users without rights of their own share what is known of the client. */
  #keyOf(userKey: string | null, accountKey: string | undefined): string {
    return `${this.#usersWithRights.has(userKey) ? (userKey ?? '') : ''} ${accountKey ?? ''}`
  }
}

/** A client that is no longer in the database has no rights. */
const removedClient = new KnownClient({ ownerClientKey: null, accounts: [], rights: [] })

const known = (access: ClientAccess | undefined) => access && new KnownClient(access)

/** The access rights of clients, in memory, so that requests need no query for them. Returns promises only for clients that
 *  are not in memory. */
export class AccessDirectory {
  readonly #db: Db
  readonly #clients: ClientCache<KnownClient>

  constructor(db: Db, feed: ChangeFeed, max = maxClients) {
    this.#db = db
    const read = async (clientKey: string) => known(await readClientAccess(db, clientKey))
    this.#clients = new ClientCache(feed, ['client'], read, { maxClients: max })
  }

  /** Returns what the caller may see and trade. An unknown key and another client's key both give 404 (§5.2). */
  viewOf(caller: Caller, ask: AccessAsk): MaybePromise<AccessView> {
    const clientKey = ask.ClientKey ?? caller.ClientKey
    const visible = this.visible(caller, { clientKey }, 'ClientKey')
    // A user's own rights apply in their own client; in a sub-client, the client's rights apply.
    const userKey = clientKey === caller.ClientKey ? caller.UserKey : null
    const viewIn = (client = removedClient) => client.view(userKey, ask.AccountKey)
    return whenKnown(visible, () => whenKnown(this.#clients.get(clientKey), viewIn))
  }

  /** Returns the view of a user in their client. */
  viewOfUser(clientKey: string, userKey: string): MaybePromise<AccessView> {
    return whenKnown(this.#clients.get(clientKey), (client = removedClient) => client.view(userKey, undefined))
  }

  /** Returns what belongs to the caller's client or to one below it. Anything else is rejected like an unknown key. */
  visible<Owned extends OfClient>(caller: Caller, owned: Owned | undefined, parameter: string): MaybePromise<Owned> {
    if (!owned) throw notFound(parameter)
    return whenKnown(this.isWithin(owned.clientKey, caller.ClientKey), (isVisible) => {
      if (!isVisible) throw notFound(parameter)
      return owned
    })
  }

  /** Undefined for an unknown client. */
  accessOf(clientKey: string): MaybePromise<ClientAccess | undefined> {
    return whenKnown(this.#clients.get(clientKey), (client) => client?.access)
  }

  /** What a user may see in their client, on one account or on any; without a user, what the client may. The same array
   *  as long as the rights are the same. */
  legalAssetTypes(clientKey: string, userKey: string | null, accountKey?: string): MaybePromise<readonly AssetType[]> {
    return whenKnown(this.#clients.get(clientKey), (client = removedClient) =>
      client.legalAssetTypes(userKey, accountKey),
    )
  }

  /** What the caller may see in a client: by their own rights in their client, by the client's in one below it. */
  callersAssetTypes(caller: Caller, clientKey: string, accountKey?: string): MaybePromise<readonly AssetType[]> {
    return this.legalAssetTypes(clientKey, clientKey === caller.ClientKey ? caller.UserKey : null, accountKey)
  }

  /** Starts to read the clients of a list in one statement, unless they are known. */
  prepare(owned: readonly OfClient[]): void {
    const keys = new Set(owned.map(({ clientKey }) => clientKey))
    const unknown = [...keys].filter((key) => !this.#clients.has(key))
    if (unknown.length < 2) return
    const reading = readAccessOf(this.#db, unknown)
    for (const key of unknown) {
      const read = reading.then((found) => known(found.get(key)))
      this.#clients.keep(key, read)
    }
  }

  /** Whether a client is the top one or below it. Stops at a cycle in the data. */
  isWithin(clientKey: string | null, topClientKey: string, visited: string[] = []): MaybePromise<boolean> {
    let key = clientKey
    while (key !== null && key !== topClientKey && !visited.includes(key)) {
      visited.push(key)
      const client = this.#clients.get(key)
      if (client instanceof Promise)
        return client.then((read) => this.isWithin(read?.access.ownerClientKey ?? null, topClientKey, visited))
      key = client?.access.ownerClientKey ?? null
    }
    return key === topClientKey
  }
}
