import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, temporaryFolder } from '../support/service/process.ts'

test('a command in a folder without data says so and creates none', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const { stderr, code } = await runCommand(['token'], { DATA_DIR })
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^No refdesk data in .*data\. Run this command where the service was started, or set DATA_DIR\.\n$/,
  )
  assert.equal(existsSync(DATA_DIR), false)
})

const mistakes: [words: string[], lines: string[]][] = [
  [['nonsense'], ["Unknown command 'nonsense'.", 'See: npx refdesk help']],
  [
    ['help', 'nonsense'],
    ["Unknown command 'nonsense'.", 'See: npx refdesk help'],
  ],
  [['--bogus'], ["Unknown option '--bogus'.", 'See: npx refdesk help']],
  [
    ['serve', '--bogus'],
    ["Unknown option '--bogus'.", 'Usage: refdesk serve [options]', 'More:  npx refdesk help serve'],
  ],
  [['serve', '--port'], ['--port needs a value.']],
]

for (const [words, lines] of mistakes)
  test(`refdesk ${words.join(' ')} says what is wrong and what to do`, async () => {
    const { stdout, stderr, code } = await runCommand(words, {})
    assert.deepEqual([code, stdout, stderr], [1, '', `${lines.join('\n')}\n`])
  })

/** Invalid settings do not prevent help. */
const hopeless = { PORT: 'many', DATABASE_URL: 'mysql://x' }
const spellings: [RegExp, ...string[][]][] = [
  [/^Usage: refdesk .*\n {2}serve +start the service\n/s, [], ['help'], ['--help'], ['-h']],
  [/^Usage: refdesk help \[options\] \[command\.\.\.\]\n/, ['help', 'help'], ['help', '--help']],
  [/^Usage: refdesk import .*\[files\.\.\.\]/, ['help', 'import'], ['import', '--help'], ['import', 'x.csv', '-h']],
  [/^Usage: refdesk apps secret rotate .*<appkey>/, ['apps', 'secret', 'rotate', '--port', '1', '--help']],
  [
    /^Usage: refdesk users .*\n {2}list .*list users\n {2}add .*add a user\n {2}password/s,
    ['users', '--help'],
    ['help', 'users'],
  ],
  [/\nSettings such as the port .* refdesk help settings\n/, ['help', 'serve']],
  [/^Settings are .*\n {2}LOG_LEVEL +trace, /s, ['help', 'settings']],
  [/^\d+\.\d+\.\d+\n$/, ['version'], ['--version']],
  [/^# Completion of refdesk in bash\./, ['completion', '--', 'bash']],
]

test('help, version and completion work in every usual spelling and with invalid settings', async () => {
  for (const [expected, ...all] of spellings)
    for (const words of all) {
      const { code, stdout, stderr } = await runCommand(words, hopeless)
      assert.deepEqual([code, stderr], [0, ''], words.join(' '))
      assert.match(stdout, expected)
    }
})
