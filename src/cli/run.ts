import { parseArgs } from 'node:util'
import { addUser } from '../access/user-commands.ts'
import { approve, deactivate } from '../apps/commands/commands.ts'
import { create } from '../apps/commands/create.ts'
import { list } from '../apps/commands/list.ts'
import { rotate } from '../apps/commands/rotate.ts'
import { auditArchive, auditVerify } from '../audit/commands.ts'
import { rotateKeys } from '../auth/commands/keys.ts'
import { setUserDisabled } from '../auth/commands/users.ts'
import { issueDemoToken } from '../auth/grants/demo-token.ts'
import type { Config } from '../config.ts'
import { exportRecords, importFiles } from '../data/commands.ts'
import { serve } from '../main.ts'
import { auditKey } from '../node.ts'
import { demoApp } from '../sim/demo-records.ts'
import { say } from './command.ts'
import { readPassword, withApps, withContext } from './service.ts'

/** What a command does with its arguments, which the table has found right, and with those of them that are no options. */
type Run = (config: Config, args: string[], words: readonly string[]) => Promise<number>

/** By the names of the table. */
export const runs: Readonly<Record<string, Run>> = {
  serve: async (config) => {
    await serve(config)
    return 0
  },
  token: (config, _args, [user = 'ada']) =>
    withContext(config, async ({ context }) => {
      say(await issueDemoToken(context, demoApp.AppKey, user))
      return 0
    }),
  'users add': (config, args) => {
    const { values, positionals } = parseArgs({ args, options: { client: { type: 'string' } }, allowPositionals: true })
    const wanted = { name: positionals[0], clientId: values.client }
    return withContext(config, ({ context }) => addUser(context.db, wanted, readPassword, say, context.clock.now()))
  },
  'users disable': (config, _args, [name]) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, true, say)),
  'users enable': (config, _args, [name]) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, false, say)),
  'apps list': withApps(list),
  'apps create': withApps(create),
  'apps approve': withApps(approve),
  'apps secret rotate': withApps(rotate),
  'apps deactivate': withApps(deactivate),
  'keys rotate': (config, args) => {
    const { values } = parseArgs({ args, options: { leaked: { type: 'boolean' } } })
    return withContext(config, (_service, parts) => rotateKeys(parts, values.leaked === true, say))
  },
  // Records are of the service's time; keys, above, of real time.
  import: (config, args) =>
    importFiles(args, (work) => withContext(config, ({ context: { clock } }, parts) => work({ ...parts, clock }))),
  export: (config, args) => exportRecords(args, (work) => withContext(config, (_service, parts) => work(parts))),
  'audit verify': (config, args) =>
    withContext(config, ({ context }, { masterKey }) => auditVerify(context.db, auditKey(masterKey), args, say)),
  'audit archive': (config, args) =>
    withContext(config, ({ context }, { masterKey }) => auditArchive(context.db, auditKey(masterKey), args, say)),
}
