import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { hash } from '@node-rs/argon2'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '../../../src/config.ts'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { sha256 } from '../../../src/core/crypto/keys.ts'
import type { Environment } from '../../../src/core/environment.ts'
import { type Connection, openDatabase, patientTimeouts } from '../../../src/database/open.ts'
import { claimDatabase } from '../../../src/database/service.ts'
import { listen } from '../../../src/http/listening.ts'
import { type RunningNode, startNode } from '../../../src/node.ts'
import { FixedClock } from '../clock.ts'
import { demoApps, demoPassword } from '../demo.ts'
import { checkResponses } from '../openapi/response-check.ts'
import { keptThreads } from '../runner/build-threads.ts'
import { noteSecret } from '../runner/log-check.ts'
import { keepEntries } from '../runner/request-log.ts'
import {
  demoLoadedAt,
  demoTemplate,
  fixedTemplates,
  type TestDatabase,
  template,
  testDatabase,
  usersTemplate,
} from './postgres.ts'

export const masterKey = Buffer.alloc(32, 7)

/** The settings that live requires. A test service still has its own database and key. */
export const liveSettings = {
  ENVIRONMENT: 'live',
  PUBLIC_URL: 'https://refdesk.example.com',
  MASTER_KEY: sha256('a key for tests').toString('base64'),
  DATABASE_URL: 'postgres://nowhere',
}

export interface TestService {
  /** {auth_url}: also the issuer. */
  readonly url: string
  /** {base_url}. */
  readonly baseUrl: string
  readonly config: Config
  readonly node: RunningNode
  readonly clock: Clock
  readonly database: TestDatabase
  close(): Promise<void>
}

type Options = {
  env?: Record<string, string>
  clock?: Clock
  /** Loads the demo's reference data as of `demoLoadedAt`, and sets the clock to that time. */
  reference?: boolean
  /** Join the database of another service: a second node. Its public address is then the first one's. */
  besides?: TestService
  /** A filled database elsewhere, which is not dropped. */
  connectionString?: string
  /** How many bytes of answers to remember, if not the default. */
  answerBytes?: number
  /** False for a service whose responses are checked by the one who sends the requests. */
  isChecked?: boolean
  log?: Logger
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** The service as `refdesk serve` runs it, in this process, on a database of its own with the demo data. */
export async function startService(options: Options = {}): Promise<TestService> {
  const { besides } = options
  const port = await freePort()
  const url = `http://localhost:${port}`
  const PUBLIC_URL = besides?.config.publicUrl ?? url
  const DATA_DIR = join(tmpdir(), `refdesk-test-data-${process.pid}-${port}`)
  const config = readConfig({}, { PORT: String(port), PUBLIC_URL, LOG_LEVEL: 'trace', DATA_DIR, ...options.env })
  const clock = options.clock ?? besides?.clock ?? (options.reference ? new FixedClock(demoLoadedAt) : systemClock)
  const database =
    besides?.database ?? elsewhere(options.connectionString) ?? (await demoDatabase(config, clock, options.reference))
  const { answerBytes } = options
  const deps = {
    config,
    connection: database.connection,
    masterKey,
    clock,
    log: options.log ?? testLog(),
    threads: keptThreads,
  }
  const node = await startNode({ ...deps, ...(answerBytes !== undefined && { answerBytes }) })
  if (options.isChecked ?? true) checkResponses(node.server)
  const writeEntries = keepEntries(node.server)
  await listen(node.server, { port, host: 'localhost' })
  return {
    url,
    baseUrl: `${url}${config.environment === 'sim' ? '/sim/openapi' : '/openapi'}`,
    config,
    node,
    clock,
    database,
    async close() {
      await node.close()
      await writeEntries()
      await rm(DATA_DIR, { recursive: true, force: true })
      if (!besides) await database.drop()
    },
  }
}

function elsewhere(connectionString: string | undefined): TestDatabase | undefined {
  return connectionString === undefined
    ? undefined
    : { connection: { connectionString } as never, drop: async () => {} }
}

/** The same, ended when the tests of the file are over. */
export async function serviceForFile(options: Options = {}): Promise<TestService> {
  const service = await startService(options)
  after(() => service.close())
  return service
}

/** A copy of a template that was filled when the run began, or of the empty one, filled as of the clock. */
async function demoDatabase(config: Config, clock: Clock, hasReference = false): Promise<TestDatabase> {
  noteSecret('password', demoPassword)
  noteSecret('master key', masterKey.toString('base64'))
  for (const app of demoApps) if (app.Secret) noteSecret('secret', app.Secret)
  if (hasReference) return testDatabase(demoTemplate)
  const filled = clock === systemClock ? usersTemplate : fixedTemplates.get(`${clock.now()}`)
  if (filled !== undefined && config.environment === 'sim') return testDatabase(filled)
  const database = await testDatabase(template)
  await fillDatabase(database.connection, config.environment, clock.now(), false)
  return database
}

/** Claims a migrated database for an environment and loads the demo data, with or without its reference data. */
export async function fillDatabase(
  connection: Connection,
  environment: Environment,
  now: Temporal.Instant,
  withReference: boolean,
): Promise<void> {
  const { db, close } = openDatabase(connection, 2, patientTimeouts)
  await claimDatabase(db, masterKey, environment)
  const { loadDemo } = await import('../../../src/sim/demo/load.ts')
  await loadDemo(db, masterKey, now, { withReference })
  // Hundreds of sign-ins pay for their hash, so it is the cheapest possible.
  const password_hash = await hash(demoPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await db.updateTable('service_user').set({ password_hash }).execute()
  await close()
}

/** Every test service writes the log that an operator would have, for the check at the end of the run. */
export function testLog() {
  const folder = process.env.REFDESK_TEST_LOG
  if (folder === undefined) return pino({ level: 'silent' })
  const destination = pino.destination({ dest: join(folder, `${process.pid}.log`), sync: true, append: true })
  return pino({ level: 'trace', base: null }, destination)
}
