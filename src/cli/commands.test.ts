import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { AppFlow } from '../core/app.ts'
import { exporters } from '../data/kinds.ts'
import { formatNamed } from '../data/sources/sources.ts'
import { type Command, checkWords } from './command.ts'
import { commands } from './commands.ts'
import { helpOfCommand, helpOfGroup, helpOfSettings, overview } from './help.ts'
import { runs } from './run.ts'

const commandNamed = (name: string): Command => {
  const command = commands.find((one) => one.name === name)
  assert.ok(command, name)
  return command
}
const choicesOf = (command: string, option: string) =>
  commandNamed(command).options?.find(({ name }) => name === option)?.choices ?? []

test('every command of the table is done, and every one that is done is in the table', () => {
  const others = commands.filter(({ isOwn }) => !isOwn).map(({ name }) => name)
  assert.deepEqual(Object.keys(runs).sort(), others.sort())
})

test('the table knows the choices that there are', () => {
  assert.deepEqual(
    choicesOf('export', 'kind'),
    exporters.map(({ kind }) => kind),
  )
  assert.deepEqual(choicesOf('import', 'format').map(formatNamed), choicesOf('import', 'format'))
  const flows = (AppFlow as { enum?: readonly string[] }).enum ?? []
  assert.deepEqual([...choicesOf('apps create', 'flow')].sort(), [...flows].sort())
})

test('help fits a terminal, and tells of every command its usage, its options and an example', () => {
  const helps = [overview(commands), helpOfSettings(), helpOfGroup('apps', commands), ...commands.map(helpOfCommand)]
  for (const line of helps.join('\n').split('\n')) assert.ok(line.length <= 100, line)
  for (const command of commands) {
    const help = helpOfCommand(command)
    assert.ok(overview(commands).includes(`  refdesk ${command.name}`), command.name)
    assert.match(help, new RegExp(`^Usage: refdesk ${command.name}\\b`))
    for (const { name } of command.options ?? []) assert.match(help, new RegExp(`^  --${name}\\b`, 'm'))
    assert.ok(command.examples.length > 0 && command.examples.every((one) => help.includes(`\n  ${one}`)))
    const sentences = command.text.split(/[.!?](?:\s|$)/).filter(Boolean).length
    assert.ok(sentences >= 1 && sentences <= 4, command.name)
  }
})

test('the examples are right by the table itself', () => {
  for (const { name, examples } of commands)
    for (const example of examples) {
      const own = example.slice(example.indexOf('refdesk ') + 'refdesk '.length).replace(/ > .*|\)$/g, '')
      assert.ok(name === 'help' || own.startsWith(name), example)
      // Settings are taken out before, as cli/cli.ts does.
      const words = own.slice(name.length).match(/"[^"]*"|\S+/g) ?? []
      if (name !== 'serve' && name !== 'help') checkWords(commandNamed(name), words)
    }
})

const mistakes: [command: string, words: string[], sentence: string][] = [
  ['serve', ['--bogus'], 'There is no option --bogus here.'],
  ['serve', ['now'], '"now" is one word too many.'],
  ['users add', [], 'Missing: NAME, --client ID.'],
  ['users add', ['eve', 'dan', '--client', '1'], '"dan" is one word too many.'],
  ['users add', ['eve', '--client'], "Option '--client <value>' argument missing."],
  ['apps create', ['--flow', 'Code'], 'Missing: --client ID, --name NAME.'],
  ['keys rotate', ['--leaked=yes'], "Option '--leaked' does not take an argument."],
]

for (const [name, words, sentence] of mistakes)
  test(`refdesk ${[name, ...words].join(' ')}: ${sentence}`, () => {
    const lines = [sentence, 'Usage: refdesk NAME', `More:  npx refdesk help ${name}`]
    const usage = /^Usage: (refdesk .*)$/m.exec(helpOfCommand(commandNamed(name)).replaceAll(/\n {10,}/g, ' '))?.[1]
    assert.throws(() => checkWords(commandNamed(name), words), {
      message: lines.join('\n').replace('refdesk NAME', usage ?? ''),
    })
  })

test('what follows -- is no option', () => {
  assert.deepEqual(checkWords(commandNamed('users add'), ['--client', '1', '--', '--eve']), ['--eve'])
})

/** A value for each option that has no choices. */
const samples: Record<string, string> = {
  overlap: '7d',
  file: 'out.ndjson',
  'redirect-uri': 'http://localhost:3000/',
}

test('what the table lets through, the commands understand', async () => {
  const config = readConfig({}, { DATA_DIR: '/nowhere/at/all' })
  for (const { name, words, options = [] } of commands.filter(({ isOwn, name }) => !isOwn && name !== 'serve')) {
    const given = options.flatMap(({ name, value, choices }) =>
      value === undefined ? [`--${name}`] : [`--${name}`, choices?.[0] ?? samples[name] ?? 'x'],
    )
    const args = words ? [words.name === 'FILE' ? '-' : 'x', ...given] : given
    await assert.rejects(
      async () => runs[name]?.(config, args, []),
      /^Error: There is no refdesk data in \/nowhere/,
      name,
    )
  }
})
