import { settings } from '../config.ts'
import { version } from '../version.ts'
import { type Command, called, usageParts, writtenOption } from './command.ts'

const width = 96

/** Breaks a text into lines between its parts; every line but the first is indented. */
function wrapped(parts: readonly string[], indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    const room = width - (lines.length === 0 ? 0 : indent)
    if (line !== '' && line.length + 1 + part.length > room) {
      lines.push(line)
      line = part
    } else line = line === '' ? part : `${line} ${part}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

const words = (text: string): string[] => text.split(/\s+/)

/** Two columns, the second one broken where it is long. */
function table(rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4
  return rows.map(([left, right]) => wrapped([`  ${left}`.padEnd(column - 1), ...words(right)], column)).join('\n')
}

const listOf = (commands: readonly Command[]): string =>
  table(commands.map((command) => [`refdesk ${called(command)}`, command.summary]))

export function overview(commands: readonly Command[]): string {
  return `refdesk ${version}: the reference desk behind trading apps

${listOf(commands)}

Settings (port, database and so on) are environment variables, or flags: refdesk help settings`
}

export function helpOfGroup(group: string, commands: readonly Command[]): string {
  return `${listOf(commands)}\n\nMore: refdesk help ${group} COMMAND`
}

export function helpOfCommand(command: Command): string {
  const options = command.options ?? []
  return [
    `Usage: ${wrapped(usageParts(command), 'Usage: refdesk '.length)}`,
    wrapped(words(command.text), 0),
    ...(options.length > 0 ? [table(options.map((option) => [writtenOption(option), option.help]))] : []),
    `For example:\n${command.examples.map((example) => `  ${example}`).join('\n')}`,
    ...(command.isOwn ? [] : ['Settings, such as --data-dir: refdesk help settings']),
  ].join('\n\n')
}

export function helpOfSettings(): string {
  return `Settings are environment variables, or flags before or after the command:
--port 4800 is PORT=4800, and is the stronger of the two.

${table(settings.map(({ variable, help }) => [variable, help]))}`
}
