import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noteSecret } from '../support/log-check.ts'
import { runCommand, startProcess, temporaryFolder } from '../support/process.ts'
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

const mistakes: [words: string[], sentence: string][] = [
  [['users'], 'users needs one of: add, disable, enable. See: npx refdesk help'],
  [['nonsense'], 'There is no command nonsense. See: npx refdesk help'],
  [['--bogus'], 'There is no option --bogus. See: npx refdesk help'],
  [['serve', '--bogus'], 'There is no option --bogus here. See: npx refdesk help'],
  [['serve', '--port'], '--port needs a value.'],
]

for (const [words, sentence] of mistakes)
  test(`refdesk ${words.join(' ')} is answered by one sentence`, async () => {
    const { stderr, code } = await runCommand(words, {})
    assert.deepEqual([code, stderr], [1, `${sentence}\n`])
  })

test('help and version are found by every usual spelling', async () => {
  for (const words of [['help'], ['--help'], ['-h'], ['users', '--help']])
    assert.match((await runCommand(words, {})).stdout, /refdesk serve +start the service/)
  for (const words of [['version'], ['--version']])
    assert.match((await runCommand(words, {})).stdout, /^\d+\.\d+\.\d+\n$/)
})
