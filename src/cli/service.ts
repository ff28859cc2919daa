import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { AppCommand } from '../apps/commands/commands.ts'
import { secretSealKey } from '../apps/secrets.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { joinUntilStopped } from '../database/embedded/stopping.ts'
import { migrate } from '../database/migrate.ts'
import type { Db } from '../database/open.ts'
import { readPublicUrl } from '../database/service.ts'
import type { EventCommand } from '../events/commands/dependencies.ts'
import { makeLog } from '../log.ts'
import { connectionOf } from '../main.ts'
import { readMasterKey } from '../master-key.ts'
import { auditKey, type NodeDependencies, openService } from '../node.ts'
import type { Call } from './program.ts'

export type Run = (config: Config, call: Call) => Promise<number>

/** Whether a bundled PostgreSQL has data there. An error if this user cannot see or use it. */
export const hasData = (dataDir: string): boolean =>
  ['postgres', 'postgres.location'].some((name) => isOurs(join(dataDir, name), dataDir))

/** A command must not create what only the service creates. */
export function requireData({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !hasData(dataDir))
    throw new Error(`No refdesk data in ${dataDir}. Run this command where the service was started, or set DATA_DIR.`)
}

function isOurs(path: string, dataDir: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    throw new Error(`The data in ${dataDir} belongs to another user. Run this command as that user.`)
  }
}

type Work<T> = (service: Awaited<ReturnType<typeof openService>>, deps: NodeDependencies) => Promise<T>

/** Opens the service for the duration of a command, whether or not it is running elsewhere. */
export async function withContext<T>(config: Config, work: Work<T>): Promise<T> {
  const { databaseUrl, dataDir } = config
  requireData(config)
  const log = makeLog({ ...config, logLevel: 'warn' })
  await using opened = new AsyncDisposableStack()
  const embedded = databaseUrl ? undefined : await joinUntilStopped({ dataDir, log })
  opened.defer(async () => embedded?.stop())
  const connection = connectionOf(config, embedded)
  const masterKey = await readMasterKey(config)
  await migrate(connection)
  // Use the address of the service that runs on this database unless another one is configured.
  const publicUrl = (config.isAddressGiven ? undefined : await readPublicUrl(connection)) ?? config.publicUrl
  const deps = { config: { ...config, publicUrl }, connection, masterKey, clock: systemClock, log }
  const service = await openService(deps)
  opened.defer(service.close)
  return await work(service, deps)
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs a command on apps. It opens the service only after it has checked its input. */
export function withApps(command: AppCommand): Run {
  return (config, call) =>
    command(
      call,
      (work) =>
        withContext(config, ({ context: { db, clock } }, { masterKey }) =>
          work({
            db,
            clock,
            secretKey: secretSealKey(masterKey),
            mode: config.secrets,
            environment: config.environment,
          }),
        ),
      say,
    )
}

/** Runs a command on events. The primary database is asked, never a replica. */
export function withEvents(command: EventCommand): Run {
  return (config, call) =>
    withContext(config, async ({ context }, { log }) => {
      const { EventCatalogue } = await import('../events/catalogue/catalogue.ts')
      const { db, clock, feed, profile } = context
      const catalogue = await EventCatalogue.start({ db, profile, log }, feed)
      const isAccepted = config.elections === 'accept'
      return command({ db, clock, feed, catalogue, isAccepted, appliesDefaults: isAccepted }, call, say)
    })
}

/** Runs a command on the audit log. The table of commands has checked its options. */
export function withAudit<Options>(
  command: (db: Db, key: Buffer, options: Options, out: typeof say) => Promise<number>,
): Run {
  return (config, { options }) =>
    withContext(config, ({ context }, { masterKey }) =>
      command(context.db, auditKey(masterKey), options as Options, say),
    )
}
