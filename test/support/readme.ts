import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from './service/process.ts'

/** A block between ``` and ```. */
export interface Fence {
  readonly language: string
  readonly text: string
}

export const readProject = (name: string): Promise<string> => readFile(join(projectFolder, name), 'utf8')

export const listGuides = async (): Promise<string[]> =>
  (await Array.fromAsync(glob('docs/guides/*.md', { cwd: projectFolder }))).sort()

export function fencesOf(markdown: string): Fence[] {
  const blocks = markdown.matchAll(/^```(.*?)\n(.*?)^```$/gms)
  return [...blocks].map(({ 1: language = '', 2: text = '' }) => ({ language, text }))
}

/** How to install the package: test/support/service/package.ts runs this block. */
export const isOfPackage = ({ language, text }: Fence): boolean => language === 'sh' && text.includes('npm pack')
export const packageGuide = 'docs/guides/deploying.md'

/** What the README says that a start prints. */
export const startCommand = 'npm ci && npm start\n'
export async function startMessageOfReadme(): Promise<string> {
  const fences = fencesOf(await readProject('README.md'))
  return plainMessage(fences[fences.findIndex(({ text }) => text === startCommand) + 1]?.text ?? '')
}

/** A start message without what differs from start to start, and without the lines of npm. */
export const plainMessage = (text: string): string =>
  text
    .replaceAll(/^> .*\n/gm, '')
    .replace(/Bearer [^"]+/, 'Bearer TOKEN')
    .replace(/refdesk \d+\.\d+\.\d+/, 'refdesk VERSION')
    .replaceAll(/localhost:(?!5000\b)\d+/g, 'localhost:4700')
    .trim()

/** The commands of a block, each with its continuation lines and its here-document. */
export function commandsOf(text: string): string[] {
  const pattern = /^(?!#|$)(?:.*<<'(\w+)'\n(?:.*\n)*?\1$|(?:.*\\\n)*.*)/gm
  return [...text.matchAll(pattern)].map(([command]) => command)
}

/** An HTTP error fails a command, unless the command prints the status itself. */
const prelude = `set -euo pipefail
curl() {
  case "$*" in
    *'%{http_code}'*) command curl --max-time 30 "$@" ;;
    *) command curl --max-time 30 --silent --show-error --fail-with-body "$@" ;;
  esac
}`

/** In a clone npx takes a second to find refdesk again. The README runs npx itself; the guides then run what it finds. */
const quickNpx = `npx() {
  if [ "$1" = refdesk ]; then "$PWD/bin/refdesk.js" "\${@:2}"; else command npx "$@"; fi
}`

/** Checks commands that print nothing: they set a variable or write a file. */
function outcomeOf(command: string): string | undefined {
  const [firstLine = ''] = command.split('\n')
  const [, variable] = /^([A-Z]+)=/.exec(firstLine) ?? []
  if (variable !== undefined) return `test -n "$${variable}"`
  const [, file] = /(?: >>? | --file )(\S+)/.exec(firstLine) ?? []
  return file === undefined ? undefined : `test -s ${file}`
}

export const mayBeSilent = (command: string): boolean =>
  outcomeOf(command) !== undefined || /-X DELETE|^\w+\(\)/.test(command)

/** One shell program, so that variables carry over; the number of each command precedes its output. */
export function programOf(commands: readonly string[], isNpxKnown: boolean): string {
  const steps = commands.map(
    (command, index) => `printf '\\n@@%s\\n' ${index}\n${command}\n${outcomeOf(command) ?? ''}`,
  )
  return `${prelude}\n${isNpxKnown ? quickNpx : ''}\n${steps.join('\n')}\n`
}

/** The output of each command, in order; the last one belongs to the last command that ran. */
export const outputsIn = (stdout: string): string[] =>
  stdout
    .split(/^@@\d+\n/m)
    .slice(1)
    .map((output) => output.trim())

/** The anchors of a page's headings, as GitHub builds them. */
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

/** Links to other files and anchors of the project: `docs/data.md`, `../README.md#start`, `#start`. */
export function linksOf(markdown: string): string[] {
  const found = withoutFences(markdown).matchAll(/\]\((?!\w+:)([^)\s]+)\)|(?:src|href)="(?!\w+:)([^"]+)"/g)
  return [...found].map(([, link, source]) => link ?? source ?? '')
}

const withoutFences = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '')
