import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Texts = Readonly<Record<string, string | undefined>>

/** The options of a program of the tests, all with values. Prints the usage for --help, and for anything unknown. */
export function readArguments(names: readonly string[], usage: string): Texts {
  const options: ParseArgsOptionsConfig = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } })
    if (values.help !== true) return values as Texts
    console.log(usage)
    process.exit(0)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}
