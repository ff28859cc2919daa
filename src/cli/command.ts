import { parseArgs } from 'node:util'
import { explain } from './explain.ts'

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

export type Option = Readonly<{
  /** Without its dashes. */
  name: string
  help: string
  /** What stands for its value; an option without one is a switch. */
  value?: string
  choices?: readonly string[]
  isRequired?: boolean
  isRepeatable?: boolean
}>

/** The words of a command that are not options: NAME, [USER], [FILE...]. */
export type Words = Readonly<{
  name: string
  isRequired?: boolean
  isRepeatable?: boolean
  choices?: readonly string[]
}>

/** One row of the table that dispatch, help and completion read. */
export type Command = Readonly<{
  /** All its words, such as `apps secret rotate`. */
  name: string
  words?: Words
  options?: readonly Option[]
  /** It is about refdesk itself, and needs no settings. */
  isOwn?: boolean
  /** In the list of all commands. */
  summary: string
  /** In its own help. */
  text: string
  examples: readonly string[]
}>

const writtenWords = ({ name, isRequired, isRepeatable }: Words): string => {
  const word = isRepeatable ? `${name}...` : name
  return isRequired ? word : `[${word}]`
}

export const writtenOption = ({ name, value }: Option): string => `--${name}${value === undefined ? '' : ` ${value}`}`

/** `users add NAME` */
export const called = ({ name, words }: Command): string => (words ? `${name} ${writtenWords(words)}` : name)

/** `refdesk users add NAME --client ID`, in its parts: a line may be broken between them. */
export function usageParts(command: Command): string[] {
  const options = command.options ?? []
  const optional = (option: Option): string => `[${writtenOption(option)}]${option.isRepeatable ? '...' : ''}`
  return [`refdesk ${called(command)}`, ...options.map((one) => (one.isRequired ? writtenOption(one) : optional(one)))]
}

/** Refuses words that the table does not know, and the lack of those it asks for, before anything is opened; returns
 *  those that are no options. */
export function checkWords(command: Command, args: readonly string[]): string[] {
  try {
    return readWords(command, args)
  } catch (error) {
    const usage = `Usage: ${usageParts(command).join(' ')}`
    throw new Error(`${explain(error)}\n${usage}\nMore:  npx refdesk help ${command.name}`)
  }
}

function readWords({ words, options = [] }: Command, args: readonly string[]): string[] {
  const known = options.map(
    ({ name, value }) => [name, { type: value ? 'string' : 'boolean', multiple: true }] as const,
  )
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(known),
    allowPositionals: true,
  })
  const missing = options.filter(({ name, isRequired }) => isRequired && values[name] === undefined).map(writtenOption)
  if (words?.isRequired && positionals.length === 0) missing.unshift(words.name)
  if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}.`)
  const most = words === undefined ? 0 : words.isRepeatable ? Number.POSITIVE_INFINITY : 1
  if (positionals.length > most) throw new Error(`"${positionals[most]}" is one word too many.`)
  return positionals
}
