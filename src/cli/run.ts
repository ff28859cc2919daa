import { listAccounts, listClients, listUsers } from '../access/list-commands.ts'
import { addUser } from '../access/user-commands.ts'
import { approve, deactivate } from '../apps/commands/commands.ts'
import { list } from '../apps/commands/list.ts'
import { rotate } from '../apps/commands/rotate.ts'
import { rotateKeys } from '../auth/commands/keys.ts'
import { changePassword, setOperator, setUserDisabled } from '../auth/commands/users.ts'
import type { AuthContext } from '../auth/context.ts'
import { issueCommandToken } from '../auth/grants/demo-token.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { nonePublished } from '../core/crypto/published.ts'
import { basePathOf } from '../core/environment.ts'
import { lowerProcessPriority } from '../core/process/low-priority.ts'
import { openDatabase, patientTimeouts } from '../database/open.ts'
import { serve } from '../main.ts'
import { demoApp } from '../sim/demo/facts.ts'
import { askPassword, readPassword } from './password.ts'
import { asTyped, type Call } from './program.ts'
import { type Run, say, withApps, withAudit, withContext, withEvents } from './service.ts'
import { publicOperatorNotes } from './start-message.ts'

/** For lines that name commands. */
const advise = (line: string): void => say(asTyped(line))

/** Modules that only some commands need and that take long to load are imported on demand. */
export const runs: Readonly<Record<string, Run>> = {
  serve: async (config) => {
    await serve(config)
    return 0
  },
  token: (config, { words: [user = 'ada'] }) =>
    withContext(config, async ({ context }) => {
      say(await issueCommandToken(context, demoApp.AppKey, user))
      return 0
    }),
  mcp: async (config, { words: [user = 'ada'] }) => {
    const { mcpCommand } = await import('../mcp/stdio.ts')
    return mcpCommand(config, () =>
      withContext(config, async ({ context }, { config: { publicUrl } }) => {
        return { token: await issueCommandToken(context, demoApp.AppKey, user), publicUrl }
      }),
    )
  },
  'users list': (config, { options }) => withContext(config, ({ context }) => listUsers(context.db, options, say)),
  'clients list': (config, { options }) => withContext(config, ({ context }) => listClients(context.db, options, say)),
  'accounts list': (config, { options }) =>
    withContext(config, ({ context }) => listAccounts(context.db, options, say)),
  events: async (config, call) => withEvents((await import('../events/commands/events.ts')).showEvents)(config, call),
  elect: async (config, call) => withEvents((await import('../events/commands/elect.ts')).electCommand)(config, call),
  clock: async (config, { words: [change] }) => {
    const { clockCommand } = await import('../sim/clock-command.ts')
    return withContext(config, ({ context: { db, clock } }) =>
      clockCommand({ db, clock, environment: config.environment }, change, say),
    )
  },
  reset: async (config, { options }) => {
    const { resetCommand } = await import('../sim/commands.ts')
    return withContext(config, async ({ context: { clock } }, { connection, masterKey }) => {
      // Removing what was imported may take long, and so may waiting for an import.
      const { db, close } = openDatabase(connection, 1, { ...patientTimeouts, lock_timeout: 120_000 })
      const service = { db, clock, masterKey, environment: config.environment, isDemoOn: config.demo }
      return resetCommand(service, options, say).finally(close)
    })
  },
  'snapshot save': (config, call) => runSnapshot(config, 'save', call),
  'snapshot restore': (config, call) => runSnapshot(config, 'restore', call),
  'snapshot delete': (config, call) => runSnapshot(config, 'delete', call),
  'snapshot list': async (config, { options }) => {
    const { listSnapshotsCommand } = await import('../sim/snapshot-commands.ts')
    return withContext(config, ({ context: { db, clock } }) =>
      listSnapshotsCommand({ db, clock, environment: config.environment }, say, options.json === true),
    )
  },
  'scenario list': simRun(({ listCommand }, service, { options }) => listCommand(service, say, options.json === true)),
  'scenario show': simRun(({ showCommand }, service, { words: [name = ''] }) => showCommand(service, name, advise)),
  'scenario load': simRun(({ loadCommand }, service, { words: [name = ''] }) => loadCommand(service, name, advise)),
  'scenario unload': simRun(({ unloadCommand }, service, { words: [name = ''] }) => unloadCommand(service, name, say)),
  give: simRun(async (_commands, service, { words: [user = '', symbol = '', amount = ''], options }) => {
    const { giveCommand } = await import('../sim/positions/commands.ts')
    return giveCommand(service, { user, symbol, amount }, options, say)
  }),
  'users add': (config, { options, words: [name] }) =>
    withContext(config, async ({ context }) => {
      const isOperator = options.operator === true
      const wanted = { name, clientId: String(options.client), isOperator }
      const readNew = () => unpublished(context, readPassword())
      const code = await addUser(context.db, wanted, readNew, say, context.clock.now())
      if (isOperator && config.environment === 'live') say('Operators have no more rights than other users in live.')
      return code
    }),
  'users password': (config, { words: [name] }) =>
    withContext(config, ({ context }) => changePassword(context, name, () => unpublished(context, askPassword()), say)),
  'users operator': (config, { options, words: [name] }) =>
    withContext(config, async ({ context }) => {
      await setOperator(context, name, options.off !== true, say)
      if (config.environment === 'sim') {
        const { listPublicOperators } = await import('../sim/demo/credentials.ts')
        for (const note of publicOperatorNotes(await listPublicOperators(context.db, name))) say(note)
      }
      return 0
    }),
  'users disable': (config, { words: [name] }) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, true, say)),
  'users enable': (config, { words: [name] }) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, false, say)),
  'apps list': withApps(list),
  'apps create': async (config, call) => withApps((await import('../apps/commands/create.ts')).create)(config, call),
  'apps approve': withApps(approve),
  'apps secret rotate': withApps(rotate),
  'apps deactivate': withApps(deactivate),
  doctor: async (config, { options }) => (await import('./doctor/doctor.ts')).doctor(config, options),
  log: async (config, { options }) => (await import('./log/log.ts')).logCommand(config, options),
  'keys rotate': (config, { options }) =>
    withContext(config, (_service, deps) => rotateKeys(deps, options.leaked === true, say)),
  // Records carry the service's time; keys, above, real time.
  import: async (config, { options, words }) => {
    const { readDemoCredentials } = await import('../sim/demo/credentials.ts')
    return (await import('../data/commands.ts')).importFiles(words, options, (work) =>
      withContext(config, async ({ context: { clock } }, deps) => {
        // Requests come first. By now a bundled PostgreSQL is running, which must not inherit this.
        lowerProcessPriority()
        const published = config.environment === 'live' ? await readDemoCredentials() : nonePublished
        const { addressesOf, askRevision } = await import('./log/log.ts')
        const { untilServed } = await import('../data/served.ts')
        const service = {
          addresses: addressesOf({ ...config, publicUrl: deps.config.publicUrl }),
          askRevision: (address: string) => askRevision(deps.masterKey, address),
        }
        const wait = (revision: number, signal: AbortSignal) => untilServed(service, revision, signal)
        return work({ ...deps, clock, published, untilServed: wait })
      }),
    )
  },
  export: async (config, { options }) =>
    (await import('../data/commands.ts')).exportRecords(options, (work) =>
      withContext(config, (_service, deps) => work(deps)),
    ),
  history: async (config, { options, words }) => {
    const { showHistory } = await import('../data/history/commands.ts')
    return withContext(config, ({ context }) => showHistory(context.db, words, options, say))
  },
  changes: async (config, { options }) => {
    const { printChanges } = await import('../data/changes/commands.ts')
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    const complain = (line: string) => void process.stderr.write(`${line}\n`)
    return withContext(config, ({ context: { db, feed } }) =>
      printChanges(options, { db, feed, signal: stopping.signal, say, complain }),
    )
  },
  init: async (config, { options }) => {
    const { initCommand } = await import('../data/init/init.ts')
    const { environment, publicUrl } = config
    const basePath = basePathOf(environment)
    return initCommand(options, { kinds: await kindsOf(config), environment, publicUrl, basePath, say: advise })
  },
  schema: async (config) => {
    const { recordSchema } = await import('../data/json-schema.ts')
    const { headSchema } = await import('../sim/scenarios/text.ts')
    say(JSON.stringify(recordSchema(await kindsOf(config), headSchema()), null, 2))
    return 0
  },
  'audit verify': async (config, call) => withAudit((await import('../audit/commands.ts')).auditVerify)(config, call),
  'audit archive': async (config, call) => withAudit((await import('../audit/commands.ts')).auditArchive)(config, call),
}

/** For checks without a database: nothing is sealed. */
async function kindsOf(config: Config) {
  const { familiesOf } = await import('../data/kinds.ts')
  const families = familiesOf({ masterKey: Buffer.alloc(32), config, now: systemClock.now() })
  return families.flatMap((family) => family.kinds)
}

async function runSnapshot(config: Config, kind: 'save' | 'restore' | 'delete', { words: [name = ''] }: Call) {
  const { snapshotCommand } = await import('../sim/snapshot-commands.ts')
  return withContext(config, async ({ context: { clock } }, { connection }) => {
    // More data takes longer than a request may.
    const { db, close } = openDatabase(connection, 1, patientTimeouts)
    return snapshotCommand({ db, clock, environment: config.environment }, kind, name, say).finally(close)
  })
}

type ScenarioCommands = typeof import('../sim/scenarios/commands.ts')
type ScenarioService = Parameters<ScenarioCommands['listCommand']>[0]

/** Runs a command on scenarios or positions, which exists in sim only. */
function simRun(command: (commands: ScenarioCommands, service: ScenarioService, call: Call) => Promise<number>): Run {
  return async (config, call) => {
    if (config.environment !== 'sim') throw new Error('This command exists in the sim environment only.')
    const commands = await import('../sim/scenarios/commands.ts')
    return withContext(config, async ({ context: { clock } }, { connection, masterKey }) => {
      // A load may have to wait for an import.
      const { db, close } = openDatabase(connection, 1, { ...patientTimeouts, lock_timeout: 120_000 })
      return command(commands, { db, clock, masterKey, secrets: config.secrets }, call).finally(close)
    })
  }
}

/** Rejects a password that no sign-in accepts. */
async function unpublished({ rejectedPasswords }: AuthContext, given: Promise<string | undefined>) {
  const password = await given
  if (password !== undefined && rejectedPasswords.has(password))
    throw new Error('Everyone knows this password from the demo. Choose another one.')
  return password
}
