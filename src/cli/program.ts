import { Command, Help, type Option } from 'commander'
import { flagOf, programName, settings } from '../config.ts'
import { closestName } from '../core/text.ts'
import { version } from '../version.ts'
import { type CommandRow, maxListed } from './command-row.ts'
import { commands, groups } from './commands.ts'
import { completionScript } from './completion.ts'

const width = 96

export type Call = Readonly<{ name: string; options: Readonly<Record<string, unknown>>; words: readonly string[] }>

type Output = Readonly<{ out(text: string): void; err(text: string): void }>

const settingsHint =
  '\nSettings such as the port and the database are environment variables or flags: refdesk help settings'

const commandWords = [...new Set(commands.map(({ name }) => name.split(' ')[0]))].join('|')
const mentioned = new RegExp(`(?<![\\w/.-])(?<!npx |Usage: )refdesk(?= (?:${commandWords})\\b)`, 'g')

/** The text with commands as the user can type them here: with `npx` where `refdesk` alone is not found. */
export const asTyped = (text: string, program = programName()): string => text.replaceAll(mentioned, program)

/** Builds the command line. `run` executes a command; help, version and completion are handled here. */
export function buildProgram({ out, err }: Output, run: (call: Call) => Promise<void>): Command {
  const program = newCommand('refdesk')
    .description(`refdesk ${version}: the reference desk behind trading apps`)
    .version(version)
    .helpCommand(false)
    .addHelpText('after', settingsHint)
    .showHelpAfterError('See: refdesk help')
    .configureOutput({
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(sentence(text)),
    })
  const own: Readonly<Record<string, (words: readonly string[]) => string>> = {
    help: (words) => helpOn(program, words),
    version: () => `${version}\n`,
    completion: ([shell = '']) => `${completionScript(shell, commands)}\n`,
  }
  for (const row of commands) {
    const command = addRow(program, row)
    command.action(async () => {
      const words = command.processedArgs.flat().filter((word) => word !== undefined)
      const answer = own[row.name]
      if (answer) out(answer(words))
      else await run({ name: row.name, options: command.opts(), words })
    })
  }
  return program
}

/** "error: unknown option '--x'" as a sentence. */
function sentence(text: string): string {
  const [first = '', ...rest] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n')
  // Commander knows the options of a command, but not the settings.
  const unknown = /^unknown option '--([a-z-]+)/.exec(first)?.[1]
  const setting =
    unknown &&
    closestName(
      settings.map(({ variable }) => flagOf(variable)),
      unknown,
    )
  const hint = setting && !rest.some((line) => line.includes('Did you mean')) ? [`(Did you mean --${setting}?)`] : []
  const lines = [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/(?<![.?])$/, '.')}`, ...hint, ...rest]
  return `${lines.join('\n')}\n`
}

/** Errors are thrown instead of ending the process. */
const newCommand = (name: string): Command =>
  new Command(name).exitOverride().configureHelp({ showGlobalOptions: false, optionDescription })

/** Leaves out long lists of choices, which hide everything else. */
function optionDescription(this: Help, option: Option): string {
  const isLong = (option.argChoices?.length ?? 0) > maxListed
  return isLong ? option.description : Help.prototype.optionDescription.call(this, option)
}

function addRow(program: Command, row: CommandRow): Command {
  const words = row.name.split(' ')
  const group = words.slice(0, -1).reduce((parent, word, at) => {
    return childOf(parent, word) ?? addGroup(parent, words.slice(0, at + 1).join(' '))
  }, program)
  const command = newCommand(words.at(-1) ?? '')
    .copyInheritedSettings(program)
    .summary(row.summary)
    .description(row.description.replaceAll(/\s+/g, ' '))
    .addHelpText(
      'after',
      `${row.name === 'serve' ? settingsHint : ''}\nExamples:\n${row.examples.map((example) => `  ${example}`).join('\n')}`,
    )
  for (const argument of row.arguments ?? []) command.addArgument(argument)
  for (const option of row.options ?? []) command.addOption(option)
  command.showHelpAfterError(`Usage: refdesk ${row.name} ${command.usage()}\nMore:  refdesk help ${row.name}`)
  group.addCommand(command)
  return command
}

function addGroup(parent: Command, name: string): Command {
  const group = newCommand(name.split(' ').at(-1) ?? '')
    .copyInheritedSettings(parent)
    .summary(groups[name] ?? '')
    .helpCommand(false)
    .showHelpAfterError(`See: refdesk help ${name}`)
  parent.addCommand(group)
  return group
}

const childOf = (parent: Command, word: string): Command | undefined =>
  parent.commands.find((command) => command.name() === word)

function helpOn(program: Command, words: readonly string[]): string {
  if (words[0] === 'settings') return settingsHelp()
  const command = words.reduce<Command>(
    (parent, word) => childOf(parent, word) ?? parent.error(`unknown command '${word}'`),
    program,
  )
  // Unlike helpInformation(), outputHelp() includes the examples.
  let text = ''
  const { writeOut, ...output } = command.configureOutput()
  command.configureOutput({ ...output, writeOut: (part) => (text += part) }).outputHelp()
  if (writeOut) command.configureOutput({ ...output, writeOut })
  return text
}

function settingsHelp(): string {
  const column = Math.max(...settings.map(({ variable }) => variable.length)) + 4
  const rows = settings.map(({ variable, help }) => `  ${variable.padEnd(column - 2)}${help}`)
  return `Settings are environment variables, or flags before or after the command.\n--port 4800 is the same as PORT=4800 and wins over it.\n\n${rows.join('\n')}\n`
}
