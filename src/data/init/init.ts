import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { printable } from '../../core/text.ts'
import { RecordChecker } from '../import/check-record.ts'
import type { Kind } from '../kind.ts'
import { type Answers, firstRecords } from './records.ts'

type Name = keyof Answers
type Options = Readonly<Partial<Answers> & { yes?: boolean; file?: string }>
type Terminal = Readonly<{
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}>

export type InitDependencies = Readonly<{
  kinds: readonly Kind[]
  environment: 'sim' | 'live'
  publicUrl: string
  /** {base_url} without the origin. */
  basePath: string
  say(line: string): void
  terminal?: Terminal
}>

const questions: Readonly<Partial<Record<Name, string>>> = {
  firm: 'Name of your firm',
  user: 'Name to sign in with',
  exchange: 'Name of your exchange',
  instrument: 'Name of your first instrument',
  redirectUri: 'Redirect URI of your app',
}

/** What is not answered. */
const defaults = (): Answers => ({
  firm: 'Example Broker',
  user: 'admin',
  exchange: 'Own Exchange',
  instrument: 'Desk Industries',
  redirectUri: 'http://localhost:5000/callback',
  currency: 'USD',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** refdesk init: asks five questions and writes a first data file. Needs no database. */
export async function initCommand(options: Options, deps: InitDependencies): Promise<0 | 1> {
  const { kinds, say, terminal = { input: process.stdin, output: process.stderr } } = deps
  const { yes = false, file = 'first.ndjson', ...given } = options
  const answers = await answer(given, yes, terminal)
  const made = firstRecords(answers)
  const errors = errorsOf(made.records, kinds)
  if (errors.length > 0) {
    for (const error of errors) say(error)
    say('Nothing was written.')
    return 1
  }
  // It has a password and a secret.
  await writeFile(file, made.records.map((record) => `${JSON.stringify(record)}\n`).join(''), {
    mode: 0o600,
    flag: 'wx',
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`${file} exists already. Pass another name: --file other.ndjson`)
  })
  for (const line of nextSteps(deps, file, answers, made)) say(line)
  return 0
}

async function answer(given: Partial<Answers>, yes: boolean, { input, output }: Terminal): Promise<Answers> {
  const all = { ...defaults(), ...given }
  const open = Object.entries(questions).filter(([name]) => given[name as Name] === undefined)
  if (yes || open.length === 0) return all
  if (!input.isTTY) {
    const flags = open.map(([name]) => `${flagOf(name)} ${JSON.stringify(all[name as Name])}`).join(' ')
    throw new Error(`There is no terminal to ask at. Pass --yes for the defaults, or: ${flags}`)
  }
  const lines = createInterface({ input, output, terminal: true })
  const stopped = new AbortController()
  lines.on('close', () => stopped.abort())
  const answers: Record<string, string> = {}
  try {
    for (const [name, question] of open) {
      const text = await lines.question(`${question} [${all[name as Name]}]: `, { signal: stopped.signal })
      if (text.trim() !== '') answers[name] = text.trim()
    }
  } catch {
    throw new Error('Stopped. Nothing was written.')
  } finally {
    lines.close()
  }
  return { ...all, ...answers }
}

function errorsOf(records: readonly object[], kinds: readonly Kind[]): string[] {
  const checker = new RecordChecker(kinds)
  const errors: string[] = []
  for (const value of records)
    checker.check({ line: 1, value }, ({ kind, field, reason }) => errors.push(`${kind} ${field}: ${reason}`))
  return errors
}

type Made = ReturnType<typeof firstRecords>

function nextSteps({ environment, publicUrl, basePath }: InitDependencies, file: string, answers: Answers, made: Made) {
  const user = printable(answers.user)
  const name = /^[\w.-]+$/.test(answers.user) ? answers.user : `'${user}'`
  const call = `${publicUrl}${basePath}/ref/v1/instruments/details/${made.Uic}/Stock`
  const sim = [`  refdesk token ${name}`, `  curl -H "Authorization: Bearer $(refdesk token ${name})" ${call}`]
  return [
    `Wrote ${file}: exchange ${made.ExchangeId}, instrument ${made.Symbol} (Uic ${made.Uic}), client ${made.ClientId}, user ${user}, app ${made.AppKey}.`,
    `Password of ${user}: ${made.Password}`,
    'The file has this password and the secret of the app: keep it private.',
    '',
    'Next:',
    `  ${environment === 'sim' ? 'DEMO=off ' : ''}refdesk serve                # an empty database; keep it running`,
    `  refdesk import ${file}`,
    ...(environment === 'sim' ? sim : []),
    `Then sign in as ${user} at ${publicUrl}/console, and edit ${file} (refdesk schema helps your editor).`,
  ]
}
