import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { demoApp, demoPassword, demoUsers } from '../demo.ts'
import { noteSecret } from '../runner/log-check.ts'
import { atProcessEnd } from '../runner/process-end.ts'
import { authorizeUrl, Browser, codeRequest, readForm } from '../sign-in.ts'
import { administer, type TestConnection } from './postgres.ts'
import { environment, freePort, projectFolder } from './system.ts'

export { childrenOf, environment, freePort, projectFolder } from './system.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServiceProcess {
  readonly pid: number
  readonly url: string
  readonly baseUrl: string
  /** All of standard output: the start message. */
  readonly message: string
  /** The token of the start message's curl line; empty without demo data. */
  readonly token: string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Outcome>
  /** SIGTERM, and its end. */
  stop(): Promise<Outcome>
}

type Env = Record<string, string>
type Options = {
  folder?: string
  user?: { uid: number; gid: number }
  input?: string
  /** Another way to start it than `node src/cli/cli.ts`. */
  program?: string[]
}

const folders: string[] = []
const children = new Set<ChildProcess>()

atProcessEnd(async () => {
  const ends = [...children].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ends)
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A folder that is removed when the process ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-process-'))
  folders.push(folder)
  return folder
}

interface Started {
  readonly child: ChildProcess
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Outcome>
}

function launch(words: string[], env: Env, options: Options): Started {
  const folder = options.folder ?? projectFolder
  // A copy of the project has its own Node.js, which is readable if the copy is.
  const node = process.execPath.replace(projectFolder, `${folder}/`)
  const [program = node, ...first] = options.program ?? [node, join(folder, 'src', 'cli', 'cli.ts'), ...words]
  const child = spawn(program, first, {
    cwd: folder,
    env: environment(env),
    ...options.user,
  })
  child.stdin.end(options.input)
  children.add(child)
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk
    keepLog(child, chunk)
  })
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => {
      children.delete(child)
      resolve({ code, ...said })
    })
  })
  return { child, said, ended }
}

/** The log of a process is checked for secrets at the end of the run; its start message is meant to have some. */
function keepLog(child: ChildProcess, chunk: Buffer): void {
  const folder = process.env.REFDESK_TEST_LOG
  if (folder !== undefined) appendFileSync(join(folder, `process-${child.pid}.log`), chunk)
}

/** Runs a command until it exits. */
export function runCommand(words: string[], env: Env, options: Options = {}): Promise<Outcome> {
  return launch(words, env, options).ended
}

/** The outcome of a `refdesk serve` that fails to start. */
export async function failedStart(env: Env, flags: string[] = []): Promise<Outcome> {
  return runCommand(['serve', ...flags], { PORT: String(await freePort()), ...env })
}

/** `refdesk serve`, from its start message on. */
export async function startProcess(env: Env, options: Options = {}): Promise<ServiceProcess> {
  const port = env.PORT ?? String(await freePort())
  const { child, said, ended } = launch(['serve'], { PORT: port, ...env }, options)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (said.stdout.includes('is ready.') && said.stdout.endsWith('\n')) resolve()
    })
    void ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${code}: ${stderr}`)))
  })
  const token = /Bearer ([\w.-]+)/.exec(said.stdout)?.[1] ?? ''
  await noteSecrets(token, env.DATA_DIR)
  const url = `http://localhost:${port}`
  return {
    pid: child.pid ?? 0,
    url,
    baseUrl: `${url}/sim/openapi`,
    message: said.stdout,
    token,
    stderr: () => said.stderr,
    kill: (signal) => void child.kill(signal),
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function noteSecrets(token: string, dataDir: string | undefined): Promise<void> {
  noteSecret('token of the start message', token)
  noteSecret('password', demoPassword)
  noteSecret('secret', demoApp.Secret)
  if (dataDir === undefined) return
  for (const name of ['postgres.password', 'master.key'])
    noteSecret(name, (await readFile(join(dataDir, name), 'utf8').catch(() => '')).trim())
}

/** A database without tables, in the PostgreSQL that test/run.ts started; dropped when the tests of the file are over. */
export async function emptyDatabase(): Promise<{ connection: TestConnection; url: string }> {
  const server = JSON.parse(process.env.REFDESK_TEST_DATABASE ?? '{}') as TestConnection
  const database = `t_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${database}`)
  after(() => administer(server, `drop database if exists ${database} with (force)`))
  return { connection: { ...server, database }, url: databaseUrl({ ...server, database }) }
}

/** DATABASE_URL for a connection: a socket's folder goes into the query. */
export function databaseUrl({ host, port, user, password, database }: TestConnection): string {
  noteSecret('database password', password)
  return `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** A browser that has opened the sign-in page and only needs to submit the form. */
async function readyToSignIn(url: string, user: string): Promise<() => Promise<Response>> {
  const browser = new Browser()
  const start = await browser.fetch(authorizeUrl(url, codeRequest))
  const { action, formToken } = await readForm(await browser.fetch(`${url}${start.headers.get('location')}`))
  const form = { form_token: formToken, decision: 'allow', user, password: demoPassword }
  return () => browser.fetch(new URL(action, url).href, { method: 'POST', body: new URLSearchParams(form) })
}

/** How many were answered when the first was. Passwords are checked a few at a time, so most are still open. */
export async function answeredAtFirst(answers: readonly Promise<unknown>[]): Promise<number> {
  let answered = 0
  for (const answer of answers) answer.then(() => answered++)
  await Promise.race(answers)
  return answered
}

/** So many of them, of all demo users by turns: of one user at most ten tries may be under way. */
export function manyReadyToSignIn(url: string, count: number): Promise<(() => Promise<Response>)[]> {
  const user = (index: number) => demoUsers[index % demoUsers.length]?.Name ?? ''
  return Promise.all(Array.from({ length: count }, (_, index) => readyToSignIn(url, user(index))))
}
