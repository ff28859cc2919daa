import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { insertRefreshToken } from '../../src/auth/store/refresh-tokens.ts'
import { insertSession } from '../../src/auth/store/sessions.ts'
import { plusSeconds, systemClock } from '../../src/core/clock.ts'
import { randomGuid, randomHex } from '../../src/core/crypto/keys.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/database/embedded/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { claimDatabase } from '../../src/database/service.ts'
import { loadDemo } from '../../src/sim/demo/load.ts'
import { demoApp, demoKey, demoRedirectUri } from '../../test/support/demo.ts'

export const client = { id: demoApp.AppKey, secret: demoApp.Secret }
export const userKey = demoKey('user ada')
export const clientKey = demoKey('client ada')

/** The bundled PostgreSQL with its default settings: every commit is on disk before the response. It has the users and apps
 *  of the demo, but not its reference data, because each benchmark brings its own. */
export class BenchDatabase {
  readonly connection: EmbeddedDatabase['connection']
  readonly #folder: string
  readonly #masterKey: Buffer
  readonly #stop: () => Promise<void>

  private constructor(
    connection: EmbeddedDatabase['connection'],
    folder: string,
    masterKey: Buffer,
    stop: () => Promise<void>,
  ) {
    this.connection = connection
    this.#folder = folder
    this.#masterKey = masterKey
    this.#stop = stop
  }

  static async start(folder: string): Promise<BenchDatabase> {
    const say = (fields: object, message: string) => console.error(message, fields)
    const log = { info: () => undefined, warn: say, error: say }
    const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log })
    const database = new BenchDatabase(embedded.connection, folder, randomBytes(32), () => embedded.stop())
    try {
      await database.#prepare()
    } catch (error) {
      await embedded.stop()
      throw error
    }
    return database
  }

  /** Creates another database in the same PostgreSQL: a copy of this one, to which no one is connected, or a new one,
   *  optionally with the demo's reference data and events. */
  async another(name: string, { withReference = false, isCopy = false } = {}): Promise<BenchDatabase> {
    const { db, close } = openDatabase({ ...this.connection, database: 'postgres' }, 1)
    const template = isCopy ? sql` template ${sql.id(this.connection.database)} strategy file_copy` : sql``
    try {
      await sql`create database ${sql.id(name)}${template}`.execute(db)
    } finally {
      await close()
    }
    const connection = { ...this.connection, database: name }
    const database = new BenchDatabase(connection, this.#folder, this.#masterKey, async () => undefined)
    if (!isCopy) await database.#prepare(withReference)
    return database
  }

  async #prepare(withReference = false): Promise<void> {
    await migrate(this.connection)
    const { db, close } = openDatabase(this.connection, 2)
    try {
      await claimDatabase(db, this.#masterKey, 'sim')
      await loadDemo(db, this.#masterKey, systemClock.now(), { withReference })
    } finally {
      await close()
    }
  }

  get url(): string {
    const { host, port, user, password, database } = this.connection
    return `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  }

  /** The configuration of a node with this database. */
  settings(publicUrl: string): Record<string, string> {
    return {
      DATABASE_URL: this.url,
      DATA_DIR: join(this.#folder, `node-${this.connection.database}`),
      MASTER_KEY: this.#masterKey.toString('base64'),
      PUBLIC_URL: publicUrl,
    }
  }

  /** Creates sessions of the demo app; returns their refresh tokens. */
  async seedSessions(count: number): Promise<string[]> {
    const { db, close } = openDatabase(this.connection, 2)
    const now = systemClock.now()
    const expires_at = plusSeconds(now, 86_400).toString()
    const from = { address: '::1', user_agent: 'bench', created_at: now.toString(), expires_at }
    const grant = { user_key: userKey, app_key: client.id, redirect_uri: demoRedirectUri }
    try {
      const seeded = await db.transaction().execute(async (trx) => {
        const tokens = Array.from({ length: count }, randomGuid)
        for (const token of tokens) {
          const sessionId = randomHex()
          await insertSession(trx, clientKey, { session_id: sessionId, ...grant, ...from })
          await insertRefreshToken(trx, sessionId, { refresh_token: token, refresh_token_expires_in: 3_600 }, now)
        }
        return tokens
      })
      // Autovacuum would do this within a minute; figures must not depend on whether it has run.
      await sql`analyze`.execute(db)
      return seeded
    } finally {
      await close()
    }
  }

  /** Every process of this PostgreSQL, background processes included. */
  async processIds(): Promise<number[]> {
    const { db, close } = openDatabase(this.connection, 1)
    try {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where pid <> pg_backend_pid()`.execute(db)
      return rows.map(({ pid }) => pid)
    } finally {
      await close()
    }
  }

  stop(): Promise<void> {
    return this.#stop()
  }
}
