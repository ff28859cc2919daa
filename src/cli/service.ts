import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type { AppCommand } from '../apps/commands/commands.ts'
import { secretSealKey } from '../apps/secrets.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { joinEmbedded } from '../database/embedded/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { readPublicUrl } from '../database/service.ts'
import { connectionOf, makeLog } from '../main.ts'
import { readMasterKey } from '../master-key.ts'
import { type NodeDependencies, openService } from '../node.ts'
import type { Call } from './program.ts'

/** Executes a command and returns the exit code. */
export type Run = (config: Config, call: Call) => Promise<number>

const hasData = (dataDir: string): boolean =>
  ['postgres', 'postgres.location'].some((name) => existsSync(join(dataDir, name)))

/** Opens the service's database for the duration of a command, whether or not the service is running. */
async function withService<T>(config: Config, work: (deps: NodeDependencies) => Promise<T>): Promise<T> {
  const log = makeLog({ ...config, logLevel: 'warn' })
  if (!config.databaseUrl && !hasData(config.dataDir))
    throw new Error(
      `No refdesk data in ${config.dataDir}. Run this command where the service was started, or set DATA_DIR.`,
    )
  const embedded = config.databaseUrl ? undefined : await joinEmbedded({ dataDir: config.dataDir, log })
  try {
    const connection = connectionOf(config, embedded)
    const masterKey = await readMasterKey(config)
    await migrate(connection)
    // Use the address of the service that runs on this database unless another one is configured.
    const publicUrl = config.isAddressGiven ? undefined : await readPublicUrl(connection)
    const used = publicUrl ? { ...config, publicUrl } : config
    return await work({ config: used, connection, masterKey, clock: systemClock, log })
  } finally {
    await embedded?.stop()
  }
}

export async function withContext<T>(
  config: Config,
  work: (service: Awaited<ReturnType<typeof openService>>, deps: NodeDependencies) => Promise<T>,
): Promise<T> {
  return withService(config, async (deps) => {
    const service = await openService(deps)
    try {
      return await work(service, deps)
    } finally {
      await service.close()
    }
  })
}

/** Prints a line on standard output. */
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

/** Reads a password from a pipe; undefined at a terminal. */
export async function readPassword(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined
  const text = (await readText(process.stdin)).split('\n', 1)[0]?.trimEnd()
  return text || undefined
}
