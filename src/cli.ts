#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { auditArchive, auditVerify } from './access/audit-commands.ts'
import { addUser } from './access/user-commands.ts'
import { type AppCommand, approve, deactivate } from './apps/commands.ts'
import { create } from './apps/commands-create.ts'
import { list } from './apps/commands-list.ts'
import { rotate } from './apps/commands-rotate.ts'
import { secretSealKey } from './apps/import.ts'
import { issueDemoToken } from './auth/demo-token.ts'
import { rotateKeys } from './auth/key-commands.ts'
import { setUserDisabled } from './auth/user-commands.ts'
import { type Config, ConfigFaults, readConfig, readFlags, settingsHelp } from './config.ts'
import { systemClock } from './core/clock.ts'
import { exportRecords, importFiles } from './data/commands.ts'
import { joinEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { readPublicUrl } from './database/service-store.ts'
import { explain } from './explain.ts'
import { connectionOf, makeLog, serve } from './main.ts'
import { readMasterKey } from './master-key.ts'
import { auditKey, type NodeParts, openService } from './node.ts'
import { demoApp } from './sim/demo-records.ts'
import { version } from './version.ts'

const help = `refdesk ${version}: the reference desk behind trading apps

  refdesk serve                      start the service
  refdesk token [USER]               print a 24-hour token of a demo user, ada by default (sim only)
  refdesk users add NAME --client ID add a user; the password is read from standard input, or made and printed
  refdesk users disable NAME         end all sessions of a user, who can no longer sign in; users enable lets them again
  refdesk apps list                  all apps with their secrets, when valid and last used [--client ID]
  refdesk apps create                make an app: --client ID --name NAME --flow Code|PKCE|Implicit [--description TEXT]
                                     [--redirect-uri URI]... [--trading]; its key and secret are printed
  refdesk apps approve APPKEY        let an app trade that has asked to (in live)
  refdesk apps secret rotate APPKEY  make a secret; the others end after --overlap 7d (12h, 90m; 0h: now)
  refdesk apps deactivate APPKEY     end all sessions of an app, to which nobody signs in until its owner activates it
  refdesk keys rotate [--leaked]     sign with the next key from now on; --leaked also ends all older tokens
  refdesk audit verify               check the audit log [--head SEQ:MAC] [--file ARCHIVE]
  refdesk audit archive              move sealed months to a file: --before YYYY-MM --file FILE
  refdesk import FILE...             load records (.ndjson, .csv) and messages (.xml, .fin), also .gz; - is standard input
                                     [--dry-run] [--format ndjson|csv|seev031|mt564]
                                     [--skip-unknown] without messages about securities that no instrument is of
                                     [--skip-other] without messages that are neither seev.031 nor MT564
  refdesk export                     write all records [--kind KIND]... [--file FILE]
  refdesk help                       this text; refdesk version: its version

Settings are environment variables, or flags before or after the command:

${settingsHelp()}
`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const hasData = (dataDir: string): boolean =>
  ['postgres', 'postgres.location'].some((name) => existsSync(join(dataDir, name)))

/** Opens the service's database for the length of a command, beside a running service or without one. */
async function withService<T>(config: Config, work: (parts: NodeParts) => Promise<T>): Promise<T> {
  const log = makeLog({ ...config, logLevel: 'warn' })
  if (!config.databaseUrl && !hasData(config.dataDir))
    throw new Error(
      `There is no refdesk data in ${config.dataDir}. Run this where the service was started, or set DATA_DIR.`,
    )
  const embedded = config.databaseUrl ? undefined : await joinEmbedded({ dataDir: config.dataDir, log })
  try {
    const connection = connectionOf(config, embedded)
    const masterKey = await readMasterKey(config)
    await migrate(connection)
    // A command speaks for the service that uses this database, so for its address, unless it is told another.
    const publicUrl = config.isAddressGiven ? undefined : await readPublicUrl(connection)
    const spoken = publicUrl ? { ...config, publicUrl } : config
    return await work({ config: spoken, connection, masterKey, clock: systemClock, log })
  } finally {
    await embedded?.stop()
  }
}

async function withContext<T>(
  config: Config,
  work: (service: Awaited<ReturnType<typeof openService>>, parts: NodeParts) => Promise<T>,
) {
  return withService(config, async (parts) => {
    const service = await openService(parts)
    try {
      return await work(service, parts)
    } finally {
      await service.close()
    }
  })
}

type Command = (config: Config, args: string[]) => Promise<number>

/** A command on apps, which opens the service when its words are right. */
function withApps(command: AppCommand): Command {
  return (config, args) =>
    command(
      args,
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

const commands: Record<string, Command> = {
  serve: async (config, args) => {
    parseArgs({ args })
    await serve(config)
    return 0
  },
  token: (config, [user = 'ada']) =>
    withContext(config, async ({ context }) => {
      say(await issueDemoToken(context, demoApp.AppKey, user))
      return 0
    }),
  'users add': (config, args) =>
    withContext(config, async ({ context }) => {
      const { values, positionals } = parseArgs({
        args,
        options: { client: { type: 'string' } },
        allowPositionals: true,
      })
      const wanted = { name: positionals[0], clientId: values.client }
      return addUser(context.db, wanted, readPassword, say, context.clock.now())
    }),
  'users disable': (config, [name]) => withContext(config, ({ context }) => setUserDisabled(context, name, true, say)),
  'users enable': (config, [name]) => withContext(config, ({ context }) => setUserDisabled(context, name, false, say)),
  'apps list': withApps(list),
  'apps create': withApps(create),
  'apps approve': withApps(approve),
  'apps secret rotate': withApps(rotate),
  'apps deactivate': withApps(deactivate),
  'keys rotate': (config, args) =>
    withContext(config, async (_service, parts) => {
      const { values } = parseArgs({ args, options: { leaked: { type: 'boolean' } } })
      return rotateKeys(parts, values.leaked === true, say)
    }),
  // Records are of the service's time; keys, above, of real time.
  import: (config, args) =>
    importFiles(args, (work) => withContext(config, ({ context: { clock } }, parts) => work({ ...parts, clock }))),
  export: (config, args) => exportRecords(args, (work) => withContext(config, (_service, parts) => work(parts))),
  'audit verify': (config, args) =>
    withContext(config, ({ context }, { masterKey }) => auditVerify(context.db, auditKey(masterKey), args, say)),
  'audit archive': (config, args) =>
    withContext(config, ({ context }, { masterKey }) => auditArchive(context.db, auditKey(masterKey), args, say)),
}

/** A password that is piped in; undefined at a terminal. */
async function readPassword(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined
  const text = (await readText(process.stdin)).split('\n', 1)[0]?.trimEnd()
  return text || undefined
}

function unknownCommand(word: string): string {
  const parts = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${word} `) ? name.slice(word.length + 1) : [],
  )
  if (parts.length > 0) return `${word} needs one of: ${parts.join(', ')}. See: npx refdesk help`
  return `There is no ${word.startsWith('-') ? 'option' : 'command'} ${word}. See: npx refdesk help`
}

async function run(words: string[]): Promise<number> {
  const { values, rest } = readFlags(words)
  const [first = 'help'] = rest
  if (first === 'help' || words.includes('--help') || words.includes('-h')) return say(help) ?? 0
  if (first === 'version' || first === '--version') return say(version) ?? 0
  const names = [3, 2, 1].map((count) => rest.slice(0, count).join(' '))
  const name = names.find((words) => Object.hasOwn(commands, words)) ?? ''
  const command = commands[name]
  if (!command) throw new Error(unknownCommand(first))
  return command(readConfig(values), rest.slice(name.split(' ').length))
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigFaults ? error.message : explain(error)}\n`)
  process.exitCode = 1
}
