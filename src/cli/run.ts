import { addUser } from '../access/user-commands.ts'
import { approve, deactivate } from '../apps/commands/commands.ts'
import { create } from '../apps/commands/create.ts'
import { list } from '../apps/commands/list.ts'
import { rotate } from '../apps/commands/rotate.ts'
import { auditArchive, auditVerify } from '../audit/commands.ts'
import { rotateKeys } from '../auth/commands/keys.ts'
import { setUserDisabled } from '../auth/commands/users.ts'
import { issueDemoToken } from '../auth/grants/demo-token.ts'
import { exportRecords, importFiles } from '../data/commands.ts'
import { serve } from '../main.ts'
import { demoApp } from '../sim/demo/facts.ts'
import { type Run, readPassword, say, withApps, withAudit, withContext } from './service.ts'

export const runs: Readonly<Record<string, Run>> = {
  serve: async (config) => {
    await serve(config)
    return 0
  },
  token: (config, { words: [user = 'ada'] }) =>
    withContext(config, async ({ context }) => {
      say(await issueDemoToken(context, demoApp.AppKey, user))
      return 0
    }),
  'users add': (config, { options, words: [name] }) =>
    withContext(config, ({ context }) =>
      addUser(context.db, { name, clientId: String(options.client) }, readPassword, say, context.clock.now()),
    ),
  'users disable': (config, { words: [name] }) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, true, say)),
  'users enable': (config, { words: [name] }) =>
    withContext(config, ({ context }) => setUserDisabled(context, name, false, say)),
  'apps list': withApps(list),
  'apps create': withApps(create),
  'apps approve': withApps(approve),
  'apps secret rotate': withApps(rotate),
  'apps deactivate': withApps(deactivate),
  'keys rotate': (config, { options }) =>
    withContext(config, (_service, deps) => rotateKeys(deps, options.leaked === true, say)),
  // Records carry the service's time; keys, above, real time.
  import: (config, { options, words }) =>
    importFiles(words, options, (work) =>
      withContext(config, ({ context: { clock } }, deps) => work({ ...deps, clock })),
    ),
  export: (config, { options }) =>
    exportRecords(options, (work) => withContext(config, (_service, deps) => work(deps))),
  'audit verify': withAudit(auditVerify),
  'audit archive': withAudit(auditArchive),
}
