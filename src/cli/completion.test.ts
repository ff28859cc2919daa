import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../test/support/service/process.ts'
import { flagOf, settings } from '../config.ts'
import { commands, shells } from './commands.ts'
import { completionScript } from './completion.ts'

const firstWords = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
const flags = settings.map(({ variable }) => `--${flagOf(variable)}`)

/** The text before the cursor, split into words as by bash, and the completions that bash offers. */
const typed: [words: string[], offered: readonly string[]][] = [
  [[''], firstWords],
  [['a'], ['accounts', 'apps', 'audit']],
  [
    ['apps', ''],
    ['list', 'create', 'approve', 'secret', 'deactivate'],
  ],
  [['apps', 'secret', ''], ['rotate']],
  [
    ['apps', 'secret', 'rotate', '-'],
    ['--overlap', '--help', ...flags],
  ],
  [
    ['help', 'users', ''],
    ['list', 'add', 'password', 'operator', 'disable', 'enable'],
  ],
  [
    ['help', ''],
    [...firstWords, 'settings'],
  ],
  [['help', 'set'], ['settings']],
  [['--data-dir', 'users', 'keys', ''], ['rotate']],
  [['export', '--kind', 'op'], ['optionRoot']],
  [['export', '--kind', '=', 'ev'], ['event']],
  [['export', '--kind', '='], choicesOf('kind')],
  [['export', '--kind', 'app', '--fi'], ['--file']],
  [['import', '--format', ''], choicesOf('format')],
  [['import', 'some.csv', '--dry'], ['--dry-run']],
  [['apps', 'create', '--flow', 'P'], ['PKCE']],
  [['completion', ''], shells],
  // Without completions, bash offers files.
  [['import', ''], []],
  [['export', '--file', 'e'], []],
  [['nonsense', ''], []],
]

function choicesOf(option: string): readonly string[] {
  return commands.flatMap(({ options = [] }) => options).find((one) => one.name() === option)?.argChoices ?? []
}

test('bash completes commands, options and values with the printed script', async () => {
  const file = join(await temporaryFolder(), 'completion.bash')
  await writeFile(file, completionScript('bash', commands))
  const tries = typed.map(([words]) => `try refdesk ${words.map((word) => `'${word}'`).join(' ')}`)
  const program = `source "$1"
    try() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _refdesk; echo "\${COMPREPLY[*]}"; }
    ${tries.join('\n')}
    complete -p refdesk`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-u', '-c', program, 'bash', file])
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual([stderr, lines.pop()], ['', 'complete -o default -F _refdesk refdesk'])
  for (const [index, [words, offered]] of typed.entries())
    assert.deepEqual((lines[index] ?? '').split(' ').filter(Boolean), offered, words.join(' '))
})

for (const shell of ['zsh', 'fish'] as const)
  test(`the script for ${shell} names every command and option, and ${shell}, where it is, can read it`, async () => {
    const script = completionScript(shell, commands)
    const options = commands.flatMap(({ options = [] }) => options.map((option) => option.name()))
    const dashes = shell === 'fish' ? '-l ' : "'--"
    for (const name of [...options, ...flags.map((flag) => flag.slice(2))])
      assert.match(script, new RegExp(`${dashes}${name}\\b`), name)
    for (const word of new Set(commands.flatMap(({ name }) => name.split(' '))))
      assert.match(script, new RegExp(`['( ]'?${word}[:']`), word)
    const file = join(await temporaryFolder(), `completion.${shell}`)
    await writeFile(file, script)
    const outcome = await promisify(execFile)(shell, ['-n', file]).catch((error: NodeJS.ErrnoException) => error)
    // EACCES: not found either, and a folder of PATH is closed to this user.
    if ('code' in outcome) assert.match(String(outcome.code), /^(ENOENT|EACCES)$/, outcome.message)
  })

test('names the supported shells', () => {
  assert.throws(() => completionScript('tcsh', commands), /^Error: No completion for tcsh\. Choose one of: bash, /)
})
