import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { insertRefreshToken } from '../../src/auth/store/refresh-tokens.ts'
import { insertSession } from '../../src/auth/store/sessions.ts'
import { plusSeconds, systemClock } from '../../src/core/clock.ts'
import { randomGuid, randomHex } from '../../src/core/crypto/keys.ts'
import type { EmbeddedDatabase } from '../../src/database/embedded/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { claimDatabase } from '../../src/database/service.ts'
import { loadDemo } from '../../src/sim/demo/load.ts'
import { demoApp, demoKey, demoRedirectUri } from '../../test/support/demo.ts'
import { ask, postForm } from './wire.ts'

export const client: { id: string; secret: string } = { id: demoApp.AppKey, secret: demoApp.Secret }
const userKey = demoKey('user ada')
const clientKey = demoKey('client ada')

type Connection = EmbeddedDatabase['connection']
type Db = OpenDatabase['db']

/** The bundled PostgreSQL with its default settings: every commit is on disk before the response. It has the users and
 *  apps of the demo, but not its reference data, because the benchmark brings its own. */
export class BenchDatabase {
  readonly connection: Connection
  readonly #folder: string
  readonly #masterKey: Buffer

  constructor(connection: Connection, folder: string, masterKey: Buffer = randomBytes(32)) {
    this.connection = connection
    this.#folder = folder
    this.#masterKey = masterKey
  }

  /** Creates another database in the same PostgreSQL: a copy of this one, to which no one is connected, or a new one,
   *  optionally with the demo's reference data and events. */
  async another(name: string, { withReference = false, isCopy = false } = {}): Promise<BenchDatabase> {
    const template = isCopy ? sql` template ${sql.id(this.connection.database)} strategy file_copy` : sql``
    await this.use((db) => sql`create database ${sql.id(name)}${template}`.execute(db))
    const database = new BenchDatabase({ ...this.connection, database: name }, this.#folder, this.#masterKey)
    if (!isCopy) await database.prepare(withReference)
    return database
  }

  /** Creates the tables and loads the demo. */
  async prepare(withReference = false): Promise<void> {
    await migrate(this.connection)
    await this.use(async (db) => {
      await claimDatabase(db, this.#masterKey, 'sim')
      await loadDemo(db, this.#masterKey, systemClock.now(), { withReference })
    })
  }

  use<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const { db, close } = openDatabase(this.connection, 2)
    return work(db).finally(close)
  }

  /** The configuration of a node with this database. All nodes have the same address in their links. */
  get settings(): Record<string, string> {
    const { host, port, user, password, database } = this.connection
    const login = `${user}:${encodeURIComponent(password)}`
    return {
      DATABASE_URL: `postgresql://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      DATA_DIR: join(this.#folder, `node-${database}`),
      MASTER_KEY: this.#masterKey.toString('base64'),
      PUBLIC_URL: 'http://localhost:4700',
    }
  }

  /** Creates sessions of the demo app, for one user or one for each; returns their refresh tokens. */
  async seedSessions(users: readonly string[]): Promise<string[]> {
    const now = systemClock.now()
    const expires_at = plusSeconds(now, 86_400).toString()
    const from = { address: '::1', user_agent: 'bench', created_at: now.toString(), expires_at }
    const grant = { app_key: client.id, redirect_uri: demoRedirectUri }
    return this.use(async (db) => {
      const seeded = await db.transaction().execute(async (trx) => {
        const tokens: string[] = []
        for (const user_key of users) {
          const [sessionId, token] = [randomHex(), randomGuid()]
          await insertSession(trx, clientKey, { session_id: sessionId, user_key, ...grant, ...from })
          await insertRefreshToken(trx, sessionId, { refresh_token: token, refresh_token_expires_in: 3_600 }, now)
          tokens.push(token)
        }
        return tokens
      })
      // Autovacuum would do this within a minute; figures must not depend on whether it has run.
      await sql`analyze`.execute(db)
      return seeded
    })
  }

  /** Returns access tokens of new sessions, issued by the node at this port. */
  async accessTokens(port: number, users: readonly string[]): Promise<string[]> {
    const refreshTokens = await this.seedSessions(users)
    return Promise.all(refreshTokens.map(async (token) => (await refresh(port, token)).access_token))
  }

  /** Returns every process of this PostgreSQL, background processes included. */
  processIds(): Promise<number[]> {
    return this.use(async (db) => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where pid <> pg_backend_pid()`.execute(db)
      return rows.map(({ pid }) => pid)
    })
  }
}

/** This many sessions of the same user. */
export const sameUser = (count: number): string[] => Array.from({ length: count }, () => userKey)

type Tokens = Readonly<{ access_token: string; refresh_token: string }>

export const refreshRequest = (token: string, { id, secret } = client): string =>
  postForm('/token', { id, secret }, { grant_type: 'refresh_token', refresh_token: token })

export function tokensOf({ status, body }: { status: number; body: string }): Tokens {
  if (status !== 200 && status !== 201) throw new Error(`A refresh was answered ${status}: ${body}`)
  return JSON.parse(body) as Tokens
}

const refresh = async (port: number, token: string): Promise<Tokens> => tokensOf(await ask(port, refreshRequest(token)))
