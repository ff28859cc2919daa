#!/usr/bin/env node
import { ConfigErrors, readConfig, readFlags } from '../config.ts'
import { version } from '../version.ts'
import { type Command, checkWords, say } from './command.ts'
import { commands } from './commands.ts'
import { completionScript } from './completion.ts'
import { explain } from './explain.ts'
import { helpOfCommand, helpOfGroup, helpOfSettings, overview } from './help.ts'

/** The command that words begin with: names have up to three. */
function findCommand(words: readonly string[]): Command | undefined {
  const names = [3, 2, 1].map((count) => words.slice(0, count).join(' '))
  return commands.find(({ name }) => names.includes(name))
}

const groupOf = (word: string): Command[] => commands.filter(({ name }) => name.startsWith(`${word} `))

function unknownCommand(word: string): Error {
  const parts = groupOf(word).map(({ name }) => name.slice(word.length + 1))
  if (parts.length > 0) return new Error(`${word} needs one of: ${parts.join(', ')}. See: npx refdesk help ${word}`)
  const kind = word.startsWith('-') ? 'option' : 'command'
  return new Error(`There is no ${kind} ${word}. See: npx refdesk help`)
}

function helpOn(words: readonly string[]): string {
  const [first] = words
  if (first === undefined) return overview(commands)
  if (first === 'settings') return helpOfSettings()
  const command = findCommand(words)
  if (command) return helpOfCommand(command)
  const group = words.join(' ')
  if (groupOf(group).length === 0) throw unknownCommand(first)
  return helpOfGroup(group, groupOf(group))
}

/** Commands about refdesk itself: what they print. */
const answers: Readonly<Record<string, (words: readonly string[]) => string>> = {
  help: helpOn,
  version: () => version,
  completion: ([shell = '']) => completionScript(shell, commands),
}

/** What follows -- is no option. */
const asksForHelp = (words: readonly string[]): boolean =>
  ['--help', '-h'].includes(words.find((word) => ['--', '--help', '-h'].includes(word)) ?? '')

async function run(words: string[]): Promise<number> {
  const { values, rest } = readFlags(words)
  const [first = 'help'] = rest
  if (asksForHelp(rest)) return say(helpOn(rest.filter((word) => !word.startsWith('-')))) ?? 0
  if (first === '--version') return say(version) ?? 0
  const command = findCommand(rest.length === 0 ? [first] : rest)
  if (!command) throw unknownCommand(first)
  const args = rest.slice(command.name.split(' ').length)
  const others = checkWords(command, args)
  const answer = answers[command.name]
  if (answer) return say(answer(others)) ?? 0
  const config = readConfig(values)
  // Loaded when it is needed: help and completion are there at once.
  const { runs } = await import('./run.ts')
  return runs[command.name]?.(config, args, others) ?? 1
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigErrors ? error.message : explain(error)}\n`)
  process.exitCode = 1
}
