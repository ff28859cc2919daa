import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from './service/process.ts'

/** A block between ``` and ```. */
export interface Fence {
  readonly language: string
  /** Where it stands: the line of its beginning, counted from 1. */
  readonly line: number
  readonly text: string
}

export const readProject = (name: string): Promise<string> => readFile(join(projectFolder, name), 'utf8')

export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(.*?)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: text = '' }) => ({
    language,
    line: markdown.slice(0, index).split('\n').length,
    text,
  }))
}

/** The README's way to the package, which test/support/service/package.ts goes. */
export const isOfPackage = ({ language, text }: Fence): boolean => language === 'sh' && text.includes('npm pack')

/** A command with the lines that belong to it: those that a backslash joins, and what a program is told (<<'END'). */
export function commandsOf(text: string): string[] {
  const pattern = /^(?!#|$)(?:.*<<'(\w+)'\n(?:.*\n)*?\1$|(?:.*\\\n)*.*)/gm
  return [...text.matchAll(pattern)].map(([command]) => command)
}

/** As a reader of the README has it, but that an HTTP error is an error, unless the status itself is asked for. */
const prelude = `set -euo pipefail
curl() {
  case "$*" in
    *'%{http_code}'*) command curl --max-time 30 "$@" ;;
    *) command curl --max-time 30 --silent --show-error --fail-with-body "$@" ;;
  esac
}`

/** What must be there after a command, which for these is not what they print: a variable with a value, a file with content. */
function outcomeOf(command: string): string | undefined {
  const [firstLine = ''] = command.split('\n')
  const [, variable] = /^([A-Z]+)=/.exec(firstLine) ?? []
  if (variable !== undefined) return `test -n "$${variable}"`
  const [, file] = /(?: > | --file )(\S+)/.exec(firstLine) ?? []
  return file === undefined ? undefined : `test -s ${file}`
}

/** Nothing is what some answer: who removes something, and who has an outcome of another kind. */
export const mayBeSilent = (command: string): boolean =>
  outcomeOf(command) !== undefined || command.includes('-X DELETE')

/** One program for one shell, so that variables carry over; before what a command prints stands its number. */
export function programOf(commands: readonly string[]): string {
  const steps = commands.map(
    (command, index) => `printf '\\n@@%s\\n' ${index}\n${command}\n${outcomeOf(command) ?? ''}`,
  )
  return `${prelude}\n${steps.join('\n')}\n`
}

/** What each command printed, in their order; the last one is where the program came to. */
export const outputsIn = (stdout: string): string[] =>
  stdout
    .split(/^@@\d+\n/m)
    .slice(1)
    .map((output) => output.trim())

/** The anchors of a page, as the places that show Markdown make them of its headings. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = withoutFences(markdown).matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Where a page leads to within the project: `docs/data.md`, `../README.md#settings`, `#settings`. */
export function linksOf(markdown: string): string[] {
  const found = withoutFences(markdown).matchAll(/\]\((?!\w+:)([^)\s]+)\)|(?:src|href)="(?!\w+:)([^"]+)"/g)
  return [...found].map(([, link, source]) => link ?? source ?? '')
}

const withoutFences = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '')
