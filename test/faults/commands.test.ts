import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noteSecret } from '../support/runner/log-check.ts'
import { runCommand, startProcess, temporaryFolder } from '../support/service/process.ts'
import { getRest } from '../support/sign-in.ts'

test('a command speaks for the service of its data folder, wherever that listens', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const service = await startProcess({ DATA_DIR })
  const { stdout, code } = await runCommand(['token'], { DATA_DIR })
  noteSecret('token', stdout.trim())
  assert.equal(code, 0)
  assert.equal((await getRest(service.baseUrl, '/port/v1/users/me', stdout.trim())).status, 200)
  await service.stop()
})

test('a command in a folder without data says so, and makes none', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const { stderr, code } = await runCommand(['token'], { DATA_DIR })
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^There is no refdesk data in .*data\. Run this where the service was started, or set DATA_DIR\.\n$/,
  )
  assert.equal(existsSync(DATA_DIR), false)
})

const mistakes: [words: string[], lines: string[]][] = [
  [['users'], ['users needs one of: add, disable, enable. See: npx refdesk help users']],
  [['nonsense'], ['There is no command nonsense. See: npx refdesk help']],
  [['help', 'nonsense'], ['There is no command nonsense. See: npx refdesk help']],
  [['help', '--', '-h'], ['There is no option -h. See: npx refdesk help']],
  [['--bogus'], ['There is no option --bogus. See: npx refdesk help']],
  [
    ['serve', '--bogus'],
    ['There is no option --bogus here.', 'Usage: refdesk serve', 'More:  npx refdesk help serve'],
  ],
  [['serve', '--port'], ['--port needs a value.']],
]

for (const [words, lines] of mistakes)
  test(`refdesk ${words.join(' ')} is answered by what is wrong and what to do`, async () => {
    const { stdout, stderr, code } = await runCommand(words, {})
    assert.deepEqual([code, stdout, stderr], [1, '', `${lines.join('\n')}\n`])
  })

/** Settings that nothing could start with do not keep anybody from reading. */
const hopeless = { PORT: 'many', DATABASE_URL: 'mysql://x' }
const spellings: [RegExp, ...string[][]][] = [
  [/^refdesk \S+: .*\n\n {2}refdesk serve +start the service\n/, [], ['help'], ['--help'], ['-h']],
  [/^Usage: refdesk help \[COMMAND\.\.\.\]\n/, ['help', 'help'], ['help', '--help']],
  [/^Usage: refdesk import \[FILE\.\.\.\] /, ['help', 'import'], ['import', '--help'], ['import', 'x.csv', '-h']],
  [/^Usage: refdesk apps secret rotate APPKEY --overlap /, ['apps', 'secret', 'rotate', '--port', '1', '--help']],
  [/^ {2}refdesk users add NAME +add a user\n {2}refdesk users disable/, ['users', '--help'], ['help', 'users']],
  [/^Settings are .*\n {2}LOG_LEVEL +trace, /s, ['help', 'settings']],
  [/^\d+\.\d+\.\d+\n$/, ['version'], ['--version']],
  [/^# Completion of refdesk in bash\./, ['completion', '--', 'bash']],
]

test('help, version and completion are found by every usual spelling, whatever the settings', async () => {
  for (const [expected, ...all] of spellings)
    for (const words of all) {
      const { code, stdout, stderr } = await runCommand(words, hopeless)
      assert.deepEqual([code, stderr], [0, ''], words.join(' '))
      assert.match(stdout, expected)
    }
})
