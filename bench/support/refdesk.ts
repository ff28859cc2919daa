import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { insertRefreshToken } from '../../src/auth/refresh-store.ts'
import { insertSession } from '../../src/auth/session-store.ts'
import { plusSeconds, systemClock } from '../../src/core/clock.ts'
import { randomGuid, randomHex, sha256 } from '../../src/core/keys.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { claimDatabase } from '../../src/database/service-store.ts'
import { loadDemo } from '../../src/sim/demo.ts'
import { demoApp, demoKey, demoRedirectUri } from '../../src/sim/demo-records.ts'

export const client = { id: demoApp.AppKey, secret: demoApp.Secret }
export const userKey = demoKey('user ada')
export const clientKey = demoKey('client ada')

/** The bundled PostgreSQL with its settings as they are for everybody: every commit is on the disk before an answer. */
export class BenchDatabase {
  readonly #embedded: EmbeddedDatabase
  readonly #masterKey: Buffer

  private constructor(embedded: EmbeddedDatabase, masterKey: Buffer) {
    this.#embedded = embedded
    this.#masterKey = masterKey
  }

  static async start(folder: string): Promise<BenchDatabase> {
    const say = (fields: object, message: string) => console.error(message, fields)
    const log = { info: () => undefined, warn: say, error: say }
    const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log })
    const database = new BenchDatabase(embedded, randomBytes(32))
    try {
      await database.#prepare()
    } catch (error) {
      await embedded.stop()
      throw error
    }
    return database
  }

  async #prepare(): Promise<void> {
    await migrate(this.#embedded.connection)
    const { db, close } = openDatabase(this.#embedded.connection, 2)
    try {
      await claimDatabase(db, this.#masterKey, 'sim')
      await loadDemo(db, this.#masterKey, systemClock.now())
    } finally {
      await close()
    }
  }

  /** What a node of this database is told. */
  settings(publicUrl: string): Record<string, string> {
    const { host, port, user, password, database } = this.#embedded.connection
    const url = `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    return { DATABASE_URL: url, MASTER_KEY: this.#masterKey.toString('base64'), PUBLIC_URL: publicUrl }
  }

  /** Sessions of the demo app as a sign-in leaves them, each with its first refresh token. */
  async seedSessions(count: number): Promise<string[]> {
    const { db, close } = openDatabase(this.#embedded.connection, 2)
    const now = systemClock.now()
    const from = { address: '::1', userAgent: 'bench', createdAt: now, expiresAt: plusSeconds(now, 86_400) }
    const grant = { userKey, appKey: client.id, signInId: null, redirectUri: demoRedirectUri, challenge: undefined }
    try {
      const seeded = await db.transaction().execute(async (trx) => {
        const tokens = Array.from({ length: count }, randomGuid)
        for (const token of tokens) {
          const sessionId = randomHex()
          await insertSession(trx, { sessionId, ...grant, ...from })
          await insertRefreshToken(trx, {
            hash: sha256(token),
            sessionId,
            issuedAt: now,
            expiresAt: plusSeconds(now, 3_600),
          })
        }
        return tokens
      })
      // What autovacuum would do within a minute: no figure should depend on whether it has been here yet.
      await sql`analyze`.execute(db)
      return seeded
    } finally {
      await close()
    }
  }

  /** Every process of this PostgreSQL, those that serve connections and those behind them. */
  async processIds(): Promise<number[]> {
    const { db, close } = openDatabase(this.#embedded.connection, 1)
    try {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where pid <> pg_backend_pid()`.execute(db)
      return rows.map(({ pid }) => pid)
    } finally {
      await close()
    }
  }

  stop(): Promise<void> {
    return this.#embedded.stop()
  }
}
