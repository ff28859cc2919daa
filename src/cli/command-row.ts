import { type Argument, InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../core/text.ts'

/** One row of the table that parsing, help and completion are built from. */
export type CommandRow = Readonly<{
  /** All its words, such as `apps secret rotate`. */
  name: string
  arguments?: readonly Argument[]
  options?: readonly Option[]
  /** In the list of commands. */
  summary: string
  /** In the command's own help. */
  description: string
  examples: readonly string[]
}>

/** Every list has it. */
export const jsonOption = (): Option => new Option('--json', 'one JSON object per line instead of a table')
export const required = (flags: string, help: string) => new Option(flags, help).makeOptionMandatory()
/** More choices are not listed: they would hide everything else. */
export const maxListed = 20
const listed = (choices: readonly string[]): string =>
  `${choices.slice(0, maxListed).join(', ')}${choices.length > maxListed ? ` and ${choices.length - maxListed} more` : ''}`

/** Accepts the choices in any case. */
export function choice(option: Option, choices: readonly string[]): Option {
  option.choices(choices)
  return option.argParser((value: string) => {
    const found = choices.find((one) => one.toLowerCase() === value.toLowerCase())
    if (found === undefined)
      throw new InvalidArgumentError(`Choose one of: ${listed(choices)}.${didYouMean(choices, value)}`)
    return found
  })
}
export function repeatable(option: Option): Option {
  const { parseArg } = option
  return option.argParser((value: string, before: string[] | undefined) => [
    ...(before ?? []),
    String(parseArg ? parseArg(value, undefined) : value),
  ])
}

/** Repeatable, and each value may be several, separated by commas. */
export function list(option: Option): Option {
  const { parseArg } = repeatable(option)
  return option.argParser((value: string, before: string[] | undefined) =>
    value.split(',').reduce<string[] | undefined>((all, each) => parseArg?.(each.trim(), all) as string[], before),
  )
}
