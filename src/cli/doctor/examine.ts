import { mkdir, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { verifyAudit } from '../../audit/chain.ts'
import { isDueForRotation, keyStates } from '../../auth/rules/signing-keys.ts'
import { listKeys } from '../../auth/store/keys.ts'
import { signingSealKey } from '../../auth/tokens.ts'
import { type Config, unknownSettings } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { unseal } from '../../core/crypto/keys.ts'
import { joinUntilStopped } from '../../database/embedded/stopping.ts'
import { inspectMigrations } from '../../database/migrate.ts'
import { type Connection, type Db, openDatabase, patientTimeouts } from '../../database/open.ts'
import { readEnvironment, readPublicUrl, requireClaimed, WrongDatabase } from '../../database/service.ts'
import { makeLog } from '../../log.ts'
import { connectionOf, countWorkers } from '../../main.ts'
import { masterKeyFile, readMasterKey } from '../../master-key.ts'
import { auditKey } from '../../node.ts'
import { explain } from '../explain.ts'
import { hasData } from '../service.ts'
import { databaseFindings, replicaFinding, schemaFinding } from './rules/database.ts'
import { type Finding, ok, problem, skipped, warning } from './rules/finding.ts'
import { auditFinding, credentialsFindings, keysFinding, operatorsFinding } from './rules/keys.ts'
import { clockFinding, diskFinding } from './rules/machine.ts'
import { publicUrlFinding, settingsFindings } from './rules/settings.ts'
import { hasTables, readDatabaseFacts, readDatabaseTime, readReplicaFacts } from './store/facts.ts'

type Found = Finding | readonly Finding[]

/** Runs all checks. Changes nothing: no key, table or file is created. */
export async function examine(config: Config): Promise<readonly Finding[]> {
  return [
    ...settingsFindings(config, unknownSettings()),
    ...(await attempt('service', () => askService(config))),
    ...(await attempt('disk', () => examineDisk(config.dataDir))),
    ...(await attempt('database', () => examineData(config))),
  ]
}

/** An error is a finding too: it says what is wrong and what to do. */
async function attempt(check: string, work: () => Promise<Found>): Promise<readonly Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    if (error instanceof WrongDatabase) return [problem(error.subject, error.reason, error.advice)]
    return [{ check, state: 'problem', text: explain(error) }]
  }
}

const answerWithinMs = 5_000

async function askService({ host, port }: Config): Promise<Finding> {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  try {
    const response = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(answerWithinMs) })
    await response.body?.cancel()
    if (response.ok) return ok('service', `ready on ${address}`)
    return warning(
      'service',
      `It answers on ${address}, but is not ready (${response.status}).`,
      'Its log says why; most often the database is down.',
    )
  } catch {
    return skipped('service', `nothing answers on ${address}`)
  }
}

async function examineDisk(folder: string): Promise<Found> {
  const info = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (info === undefined) return skipped('disk', `${folder} does not exist yet`)
  return diskFinding(folder, info.bavail * info.bsize)
}

async function examineData(config: Config): Promise<Found> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !hasData(dataDir))
    return [
      ...(await attempt('data folder', () => requireWritable(dataDir))),
      skipped('database', `no data in ${dataDir} yet; refdesk serve creates it`),
    ]
  const log = makeLog({ ...config, logLevel: 'error' })
  await using opened = new AsyncDisposableStack()
  const embedded = databaseUrl ? undefined : await joinUntilStopped({ dataDir, log })
  opened.defer(async () => embedded?.stop())
  const connection = connectionOf(config, embedded)
  const { db, close } = openDatabase(connection, 2, patientTimeouts)
  opened.defer(close)
  const count = countWorkers(config)
  const database = databaseFindings(await readDatabaseFacts(db), count === 1 ? 12 : 11 * count + 4)
  if (!(await hasTables(db))) return [...database, skipped('schema', 'the database is empty; refdesk serve creates it')]
  return [
    ...database,
    ...(await attempt('schema', async () => schemaFinding(await inspectMigrations(connection)))),
    ...(await attempt('public URL', () => examinePublicUrl(config, connection))),
    ...(await attempt('clock', async () => clockFinding(await compareClocks(db)))),
    ...(await attempt('replica', () => examineReplica(config, db))),
    ...(await attempt('master key', () => examineSealed(config, db))),
    ...(await attempt('demo credentials', () => examineCredentials(config, db))),
    ...(await attempt('operators', () => examineOperators(config, db, connection))),
  ]
}

/** Creates a folder where the first start would, and removes it: permissions alone do not tell. */
async function requireWritable(dataDir: string): Promise<Found> {
  for (let folder = dataDir; ; folder = dirname(folder)) {
    const probe = join(folder, `.refdesk-doctor-${process.pid}`)
    try {
      await mkdir(probe)
      await rmdir(probe)
      return []
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isMissing = code === 'ENOENT' && (await stat(folder).catch(() => undefined)) === undefined
      if (isMissing && dirname(folder) !== folder) continue
      const reason = code === 'ENOENT' ? 'EACCES' : code
      throw Object.assign(new Error(`${dataDir} cannot be used (${code}).`), { code: reason, path: dataDir })
    }
  }
}

async function examinePublicUrl({ publicUrl, isAddressGiven }: Config, connection: Connection): Promise<Found> {
  const stored = isAddressGiven ? await readPublicUrl(connection) : undefined
  return stored === undefined ? [] : publicUrlFinding(publicUrl, stored)
}

async function compareClocks(db: Db): Promise<{ ahead: number; uncertain: number }> {
  const before = systemClock.now().epochMilliseconds
  const theirs = (await readDatabaseTime(db)).epochMilliseconds
  const after = systemClock.now().epochMilliseconds
  return { ahead: (before + after) / 2 - theirs, uncertain: (after - before) / 2 + 1 }
}

async function examineReplica(config: Config, primary: Db): Promise<Found> {
  if (config.databaseReadUrl === undefined) return []
  if ((await examineKeyFile(config)).state === 'problem')
    return skipped('replica', 'not checked without the master key')
  const connection: Connection = { connectionString: config.databaseReadUrl }
  const { db, close } = openDatabase(connection, 1)
  try {
    if (!(await hasTables(db)))
      return problem(
        'replica',
        'DATABASE_READ_URL leads to a database without refdesk’s tables.',
        'Set it to a replica of DATABASE_URL, or leave it out.',
      )
    await requireClaimed(db, await readMasterKey(config), config.environment)
    return replicaFinding(await readReplicaFacts(primary, db))
  } finally {
    await close()
  }
}

async function examineCredentials({ environment }: Config, db: Db): Promise<Found> {
  // The credentials of the demo belong in a database of sim, which a live service does not use.
  if (environment !== 'live' || (await readEnvironment(db)) === 'sim') return []
  const { listDemoCredentials } = await import('../../sim/demo/credentials.ts')
  return credentialsFindings(await listDemoCredentials(db))
}

async function examineOperators({ environment, simControls }: Config, db: Db, connection: Connection): Promise<Found> {
  if (environment !== 'sim' || simControls !== 'operators') return []
  if ((await inspectMigrations(connection)).open.length > 0)
    return skipped('operators', 'not checked until the schema is up to date')
  const { listPublicOperators } = await import('../../sim/demo/credentials.ts')
  return operatorsFinding(await listPublicOperators(db))
}

/** What only the right MASTER_KEY can check. */
async function examineSealed(config: Config, db: Db): Promise<Found> {
  const keyFile = await examineKeyFile(config)
  if (keyFile.state === 'problem') return keyFile
  const masterKey = await readMasterKey(config)
  await requireClaimed(db, masterKey, config.environment)
  return [
    keyFile,
    ...(await attempt('signing keys', () => examineKeys(db, masterKey))),
    ...(await attempt('audit log', async () => auditFinding(await verifyAudit(db, auditKey(masterKey))))),
  ]
}

async function examineKeyFile(config: Config): Promise<Finding> {
  const check = 'master key'
  if (config.masterKey) return ok(check, 'MASTER_KEY opens the database')
  const file = masterKeyFile(config)
  const info = await stat(file).catch(() => undefined)
  if (info === undefined)
    return problem(check, `${file} is missing, and the database was made with it.`, 'Restore it from your backup.')
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
    return warning(check, `Other users of this machine may read ${file}.`, `Run: chmod 600 ${join(file)}`)
  return ok(check, `${file} opens the database`)
}

async function examineKeys(db: Db, masterKey: Buffer): Promise<Finding> {
  const keys = await listKeys(db)
  const now = systemClock.now()
  const states = keyStates(keys, now)
  const active = keys.find(({ kid }) => states.get(kid) === 'active')
  const sealKey = signingSealKey(masterKey)
  return keysFinding({
    active: active !== undefined,
    next: keys.some(({ kid }) => states.get(kid) === 'next'),
    isOverdue: active?.activeFrom ? isDueForRotation(active.activeFrom, now) : false,
    sealed: keys.filter(({ kid, privateSealed }) => !opens(sealKey, privateSealed, kid)).map(({ kid }) => kid),
    total: keys.length,
  })
}

function opens(key: Buffer, sealed: Buffer, context: string): boolean {
  try {
    unseal(key, sealed, context)
    return true
  } catch {
    return false
  }
}
