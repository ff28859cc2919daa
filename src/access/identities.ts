import { type MaybePromise, whenKnown } from '../core/async/maybe-promise.ts'
import type { ChangeFeed } from '../database/changes.ts'
import type { Db } from '../database/open.ts'
import { ClientCache } from './client-cache.ts'
import {
  type AccountGroupRow,
  type AccountRow,
  accountGroups,
  accounts,
  type ClientRow,
  clients,
  type Listed,
  type Page,
  type Readers,
  type Scope,
  type UserRow,
  users,
} from './store/listings.ts'

/** Per kind of row: of this many clients, in this many bytes. What a single client has in excess is not kept. */
const bounds = { maxClients: 10_000, maxBytes: 32 * 1_048_576 }
const maxRowsOfClient = 500
const maxBytesOfClient = 2 * 1_048_576

/** A generous estimate, with the text of a response. */
const bytesOf = (row: object): number => 2_000 + 2 * JSON.stringify(row).length

type OfClient<Row> = Readonly<{ isWhole: boolean; rows: readonly Row[]; bytes: number }>

/** The rows of one kind that a client has. They are in memory, in the order of the database, unless they are many. */
class OwnedRows<Row extends object> {
  readonly #db: Db
  readonly #readers: Readers<Row>
  readonly #keyOf: (row: Row) => string
  readonly #cache: ClientCache<OfClient<Row>>

  constructor(db: Db, feed: ChangeFeed, topics: string[], readers: Readers<Row>, keyOf: (row: Row) => string) {
    this.#db = db
    this.#readers = readers
    this.#keyOf = keyOf
    const read = async (clientKey: string): Promise<OfClient<Row>> => {
      const rows = await readers.ofClient(db, clientKey, maxRowsOfClient + 1)
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 1)
      const isWhole = rows.length <= maxRowsOfClient && bytes <= maxBytesOfClient
      return isWhole ? { isWhole, rows, bytes } : { isWhole, rows: [], bytes: 1 }
    }
    this.#cache = new ClientCache(feed, topics, read, { ...bounds, bytesOf: ({ bytes }) => bytes })
  }

  /** A row by its key: of this client from memory, else from the database. */
  find(clientKey: string, key: string): MaybePromise<Row | undefined> {
    return whenKnown(
      this.#cache.get(clientKey),
      (known) => known?.rows.find((row) => this.#keyOf(row) === key) ?? this.#readers.find(this.#db, key),
    )
  }

  /** Only if it is in memory. */
  peek(clientKey: string, key: string): Row | undefined {
    return this.#cache.peek(clientKey)?.rows.find((row) => this.#keyOf(row) === key)
  }

  list(scope: Scope, page: Page): MaybePromise<Listed<Row>> {
    if (scope.includesSubClients) return this.#readers.list(this.#db, scope, page)
    return whenKnown(this.#cache.get(scope.clientKey), (known) =>
      known?.isWhole ? pageOf(known.rows, page) : this.#readers.list(this.#db, scope, page),
    )
  }
}

function pageOf<Row>(rows: readonly Row[], { $top, $skip, $inlinecount }: Page): Listed<Row> {
  const end = $skip + $top
  const count = $inlinecount === 'AllPages' ? rows.length : undefined
  return { rows: rows.slice($skip, end), more: rows.length > end, count }
}

/** Users, clients, accounts and account groups. Those of one client are in memory and need no query; lists over several
 *  clients are read from the database. */
export class IdentityDirectory {
  readonly #db: Db
  readonly #clients: ClientCache<ClientRow>
  readonly users: OwnedRows<UserRow>
  readonly accounts: OwnedRows<AccountRow>
  readonly accountGroups: OwnedRows<AccountGroupRow>

  constructor(db: Db, feed: ChangeFeed) {
    this.#db = db
    this.#clients = new ClientCache(feed, ['client'], (key) => clients.find(db, key), { ...bounds, bytesOf })
    // A new session changes the time of the last login.
    this.users = new OwnedRows(db, feed, ['client', 'sign-in'], users, ({ userKey }) => userKey)
    this.accounts = new OwnedRows(db, feed, ['client'], accounts, ({ accountKey }) => accountKey)
    this.accountGroups = new OwnedRows(db, feed, ['client'], accountGroups, ({ accountGroupKey }) => accountGroupKey)
  }

  /** The name of a user who is in memory; undefined for others. */
  knownUserName(clientKey: string, userKey: string): string | undefined {
    return this.users.peek(clientKey, userKey)?.name
  }

  client(clientKey: string): MaybePromise<ClientRow | undefined> {
    return this.#clients.get(clientKey)
  }

  /** The clients that a client owns: their changes are announced without naming the owner, so they are not kept. */
  subClients(clientKey: string, page: Page): Promise<Listed<ClientRow>> {
    return clients.list(this.#db, { clientKey }, page)
  }
}
