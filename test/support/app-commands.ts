import { type AppCommand, approve, deactivate } from '../../src/apps/commands/commands.ts'
import { create } from '../../src/apps/commands/create.ts'
import { list } from '../../src/apps/commands/list.ts'
import { rotate } from '../../src/apps/commands/rotate.ts'
import { secretSealKey } from '../../src/apps/secrets.ts'
import { noteSecret } from './runner/log-check.ts'
import { parseCall } from './service/command-line.ts'
import { masterKey, type TestService } from './service/service.ts'

const names = new Map<AppCommand, string[]>([
  [list, ['apps', 'list']],
  [create, ['apps', 'create']],
  [approve, ['apps', 'approve']],
  [rotate, ['apps', 'secret', 'rotate']],
  [deactivate, ['apps', 'deactivate']],
])

/** Runs commands in this process and returns what they printed. */
export function commandRunner({ node }: TestService) {
  const { db, clock, feed } = node.context
  return async (command: AppCommand, words: readonly string[], environment: 'sim' | 'live' = 'sim') => {
    const lines: string[] = []
    const deps = { db, clock, secretKey: secretSealKey(masterKey), mode: 'listed', environment } as const
    await command(
      await parseCall([...(names.get(command) ?? []), ...words]),
      (work) => work(deps),
      (line) => lines.push(line),
    )
    await feed.poll()
    const text = lines.join('\n')
    const secret = /^Secret.*: ([0-9a-f]{32})$/m.exec(text)?.[1] ?? ''
    if (secret !== '') noteSecret('secret', secret)
    return { text, secret, appKey: /^AppKey: ([0-9a-f]{32})$/m.exec(text)?.[1] ?? '' }
  }
}
