import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { CommanderError } from 'commander'
import { temporaryFolder } from '../../test/support/service/process.ts'
import { programName, readConfig, readFlags } from '../config.ts'
import { AppFlow } from '../core/app.ts'
import { exporters, namedExporters } from '../data/kinds.ts'
import type { CommandRow } from './command-row.ts'
import { commands } from './commands.ts'
import { asTyped, buildProgram, type Call } from './program.ts'
import { runs } from './run.ts'

const own = ['completion', 'help', 'version']

/** Runs a command line and returns what it prints, and the call that it would execute. */
async function type(...words: string[]) {
  const printed = { out: '', err: '', calls: [] as Call[], exitCode: 0 }
  const output = { out: (text: string) => (printed.out += text), err: (text: string) => (printed.err += text) }
  const program = buildProgram(output, async (call) => void printed.calls.push(call))
  await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error
    printed.exitCode = error.exitCode
  })
  return printed
}

const rowNamed = (name: string): CommandRow => {
  const row = commands.find((one) => one.name === name)
  assert.ok(row, name)
  return row
}
const choicesOf = (command: string, option: string) =>
  rowNamed(command).options?.find((one) => one.name() === option)?.argChoices ?? []

test('every command of the table has an implementation, and the other way round', () => {
  const others = commands.map(({ name }) => name).filter((name) => !own.includes(name))
  assert.deepEqual(Object.keys(runs).sort(), others.sort())
})

test('every list has --json', () => {
  const lists = commands.filter(({ name }) => name.endsWith(' list') || ['events', 'log'].includes(name))
  assert.equal(lists.length, 8)
  for (const { name, options = [] } of lists) assert.ok(options.map(({ flags }) => flags).includes('--json'), name)
})

test('the choices of the table are those of the code', () => {
  assert.deepEqual(
    choicesOf('export', 'kind'),
    [...exporters, ...namedExporters].map(({ kind }) => kind),
  )
  const flows = (AppFlow as { enum?: readonly string[] }).enum ?? []
  assert.deepEqual([...choicesOf('apps create', 'flow')].sort(), [...flows].sort())
})

test('help fits a terminal and shows the usage, options and examples of every command', async () => {
  const overview = (await type('help')).out
  for (const { name, options = [], examples } of commands) {
    const words = name.split(' ')
    const { out } = await type('help', ...words)
    assert.ok(overview.includes(`\n  ${words[0]}`), name)
    assert.match(out, new RegExp(`^Usage: refdesk ${name}\\b`))
    for (const option of options) assert.ok(out.includes(`\n  ${option.flags}`), option.flags)
    assert.ok(examples.length > 0 && examples.every((example) => out.includes(`\n  ${example}`)), name)
    for (const line of out.split('\n')) assert.ok(line.length <= 110, line)
  }
})

test('the examples are valid', async () => {
  for (const { name, examples } of commands.filter((row) => !own.includes(row.name)))
    for (const example of examples) {
      const line = example.slice(example.indexOf('refdesk ') + 'refdesk '.length).replace(/\)$| >.*$/, '')
      const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
      const { calls, err } = await type(...readFlags(words).rest)
      assert.deepEqual([calls[0]?.name, err], [name, ''], example)
    }
})

test('kinds of changes are separated by commas, repeated, or both', async () => {
  const { calls } = await type(...'changes --kinds instrument,Event --kinds exchange'.split(' '))
  assert.deepEqual(calls[0]?.options.kinds, ['instrument', 'event', 'exchange'])
})

const mistakes: [line: string, sentence: string][] = [
  ['serve --bogus', "Unknown option '--bogus'."],
  ['serve --prt 4800', "Unknown option '--prt'.\n(Did you mean --port?)"],
  ['serve now', "Too many arguments for 'serve'. Expected 0 arguments but got 1: now."],
  ['users add', "Required option '--client <id>' not specified."],
  ['users add --client 1', "Missing required argument 'name'."],
  ['users add eve dan --client 1', "Too many arguments for 'add'. Expected 1 argument but got 2: eve, dan."],
  ['users add eve --client', "Option '--client <id>' argument missing."],
  ['apps create --client 1 --name x --flow Magic', "Option '--flow <flow>' argument 'Magic' is invalid."],
  ['keys rotate --leaked=yes', "Unknown option '--leaked=yes'."],
  ['import --formt csv', "Unknown option '--formt'.\n(Did you mean --format?)"],
  [
    'import --format xlsx',
    "Option '--format <format>' argument 'xlsx' is invalid. Choose one of: ndjson, csv, seev031, mt564.",
  ],
  ['changes --kinds event,instrumnt', "Option '--kinds <kinds>' argument 'event,instrumnt' is invalid."],
  ['export --kind instrumnt', "Option '--kind <kind>' argument 'instrumnt' is invalid."],
]

for (const [line, sentence] of mistakes)
  test(`refdesk ${line}: ${sentence.split('\n')[0]}`, async () => {
    const { err, calls, exitCode } = await type(...line.split(' '))
    assert.ok(err.startsWith(sentence), err)
    const name = commands.find((row) => line.startsWith(row.name))?.name
    assert.match(err, new RegExp(`\nUsage: refdesk ${name} .*\nMore: {2}refdesk help ${name}\n$`))
    assert.deepEqual([calls, exitCode], [[], 1])
  })

test('suggests a command for a typo', async () => {
  assert.match((await type('usres')).err, /^Unknown command 'usres'\.\n\(Did you mean users\?\)/)
  assert.match(
    (await type('users', 'ad')).err,
    /^Unknown command 'ad'\.\n\(Did you mean add\?\)\nSee: .* help users\n$/,
  )
})

test('words after -- are not options', async () => {
  assert.deepEqual((await type('users', 'add', '--client', '1', '--', '--eve')).calls[0]?.words, ['--eve'])
})

test('every call that the table accepts is accepted by its command', async () => {
  const config = readConfig({}, { DATA_DIR: '/nowhere/at/all' })
  const samples: Record<string, string> = {
    overlap: '7d',
    file: 'out.ndjson',
    today: '2026-11-16',
    'redirect-uri': 'http://localhost:3000/',
  }
  for (const { name, arguments: args = [], options = [] } of commands) {
    // `doctor` reports missing data instead of failing; test/faults/doctor.test.ts covers it. `schema` and `init` need none.
    if (own.includes(name) || ['serve', 'doctor', 'schema', 'init'].includes(name)) continue
    // An explanation needs no data, so it would not report what this test waits for. Only elections have --since.
    // --undo takes no files.
    const given = options.flatMap((option) => {
      if (['explain', 'since', 'undo'].includes(option.name())) return []
      const value = option.argChoices?.[0] ?? samples[option.name()] ?? 'x'
      return option.required ? [`--${option.name()}`, value] : [`--${option.name()}`]
    })
    const { calls } = await type(...name.split(' '), ...args.map((one) => (one.variadic ? '-' : 'x')), ...given)
    const [call] = calls
    assert.ok(call, name)
    await assert.rejects(async () => runs[name]?.(config, call), /^Error: No refdesk data in \/nowhere/, name)
  }
})

test('long lists of choices do not hide the help and the errors of a command', async () => {
  const { out } = await type('help', 'give')
  assert.match(out, /^ {2}--asset-type <type> +if the symbol has several, such as Stock or CfdOnStock$/m)
  const { err } = await type(...'give ada AAPL:xnas 1 --asset-type Stok'.split(' '))
  assert.match(err, /^Option .* is invalid\. Choose one of: (\w+, ){19}\w+ and \d+ more\. Did you mean Stock\?\n/)
})

test('commands in texts are written as they can be typed', () => {
  const text =
    'Usage: refdesk log. See: refdesk help, npx refdesk log, ./refdesk log, refdesk data. (refdesk users add)'
  assert.equal(asTyped(text, 'refdesk'), text)
  assert.equal(
    asTyped(text, 'npx refdesk'),
    'Usage: refdesk log. See: npx refdesk help, npx refdesk log, ./refdesk log, refdesk data. (npx refdesk users add)',
  )
})

test('refdesk is called by npx under npm, and where the shell does not find it', async () => {
  const PATH = await temporaryFolder()
  assert.equal(programName({ PATH }), 'npx refdesk')
  await writeFile(join(PATH, 'refdesk'), '')
  assert.equal(programName({ PATH: `${PATH}${delimiter}/nowhere` }), 'refdesk')
  assert.equal(programName({ PATH, npm_command: 'exec' }), 'npx refdesk')
})
