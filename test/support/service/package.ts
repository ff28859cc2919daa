import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { chown, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { commandsOf, fencesOf, isOfPackage, packageGuide, readProject } from '../readme.ts'
import { noteSecret } from '../runner/log-check.ts'
import { childrenOf, freePort, type Outcome, projectFolder, temporaryFolder } from './process.ts'

/** The project as its users get it: packed, installed in an empty folder on a path with a space, and run there by an
 *  ordinary user: whoever runs the tests or, when that is root, `nobody`.
 *
 *  Installing costs many seconds, so one file of tests does it, test/package/package.test.ts. An example that imports
 *  `refdesk/client` runs there too: write it to a file in `folder`, and `run` it with `node`. */
export interface InstalledPackage {
  /** Where it was installed: its node_modules has refdesk and what refdesk needs, and nothing else. */
  readonly folder: string
  /** Every file of the package, as the tarball has it. */
  readonly files: readonly string[]
  readonly tarballBytes: number
  /** Writes a file into the folder that the ordinary user can read; returns its path. */
  write(name: string, text: string): Promise<string>
  /** Runs a program there to its end: `run('npx', ['refdesk', 'token'])`, `run('node', ['example.ts'])`; `node` is the
   *  Node.js that refdesk brings along. */
  run(program: string, words: readonly string[], env?: Env): Promise<Outcome>
  /** `npx refdesk serve` with the data in the folder, from its start message on. */
  serve(env?: Env): Promise<PackageService>
}

export interface PackageService {
  readonly url: string
  readonly message: string
  readonly token: string
  /** SIGTERM to bin/refdesk.js, as a supervisor sends it, and the end of npx. */
  stop(): Promise<Outcome>
}

type Env = Record<string, string>
type User = Readonly<{ uid: number; gid: number }>

/** npm settings that a user behind a proxy or with an own registry needs. */
const userSettings =
  /^npm_config_(cache|registry|userconfig|globalconfig|(https?_)?proxy|noproxy|cafile|ca|strict_ssl)$/i
/** What `npm test` and the test runner add to the environment. */
const addedByTests = /^(npm_|REFDESK_|INIT_CWD$|NODE$|NODE_(OPTIONS|ENV|PATH|COMPILE_CACHE|TEST_CONTEXT|V8_COVERAGE)$)/i

/** The user's environment, as it was before `npm test`. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => userSettings.test(name) || !addedByTests.test(name))
  return { ...Object.fromEntries(kept), PATH: pathOfSystem() }
}

/** Without the project's own programs: npm and Node.js as they are on this machine. */
function pathOfSystem(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !/node_modules|node-gyp-bin/.test(folder)).join(delimiter)
}

/** Follows the deploying guide up to `npx refdesk serve`; only the folder is another one. */
async function followGuide(folder: string): Promise<void> {
  const fence = fencesOf(await readProject(packageGuide)).find(isOfPackage)?.text ?? ''
  const [serve, ...before] = commandsOf(fence).reverse()
  assert.match(serve ?? '', /^npx refdesk serve( +#|$)/)
  const program = before.reverse().join('\n').replaceAll('~/desk', `'${folder}'`)
  const quickly = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const env = { ...npmEnvironment(), ...quickly, npm_config_loglevel: 'error' }
  const child = spawn('bash', ['-c', `set -e\n${program}`], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The package could not be installed (${code}):\n${(await output).join('\n')}`)
}

/** As long as the work takes, a file with secrets is where deploy/compose.yaml wants one; one that is there is kept. */
async function withSecrets(work: () => Promise<void>): Promise<void> {
  const file = join(projectFolder, 'deploy', '.env')
  const isOurs = await writeFile(file, 'MASTER_KEY=\n', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
  await work().finally(() => isOurs && rm(file))
}

export async function installPackage(): Promise<InstalledPackage> {
  const place = await temporaryFolder()
  const folder = join(place, 'my trading app')
  await withSecrets(() => followGuide(folder))
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const user = await handToOrdinaryUser(place)
  const files = await filesIn(join(folder, 'node_modules', 'refdesk'))
  const { size: tarballBytes } = await stat(join(folder, tarball))
  return { folder, files, tarballBytes, ...programsIn(folder, user) }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Root is not how a person runs a program. */
async function handToOrdinaryUser(folder: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const numberOf = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'nobody'])).stdout)
  const user = { uid: await numberOf('-u'), gid: await numberOf('-g') }
  await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  return user
}

function programsIn(folder: string, user: User | undefined): Pick<InstalledPackage, 'write' | 'run' | 'serve'> {
  const launch = (program: string, words: readonly string[], env: Env) => launchIn(folder, user, program, words, env)
  return {
    write: async (name, text) => {
      const path = join(folder, name)
      await writeFile(path, text)
      if (user) await chown(path, user.uid, user.gid)
      return path
    },
    run: (program, words, env = {}) => launch(program, words, env).ended,
    serve: async (env = {}) => {
      const port = String(await freePort())
      const { child, said, ended } = launch('npx', ['refdesk', 'serve'], { PORT: port, ...env })
      await new Promise<void>((resolve, reject) => {
        child.stdout?.on('data', () => said.stdout.includes('is ready.') && said.stdout.endsWith('\n') && resolve())
        void ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${code}: ${stderr}`)), reject)
      })
      const token = /Bearer ([\w.-]+)/.exec(said.stdout)?.[1] ?? ''
      noteSecret('token of the start message', token)
      const stop = async () => {
        process.kill(await starterOf(child.pid ?? 0), 'SIGTERM')
        return ended
      }
      return { url: `http://localhost:${port}`, message: said.stdout, token, stop }
    },
  }
}

const children = new Set<ChildProcess>()

after(async () => {
  const ends = [...children].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of children) signalGroup(child, 'SIGTERM')
  await Promise.all(ends)
})

/** The process under npx that started the command line under the Node.js of the package: bin/refdesk.js. */
async function starterOf(npx: number): Promise<number> {
  const [child] = await childrenOf(npx)
  assert.ok(child, `no process started dist/cli/cli.js, not even ${npx}`)
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(child)])
  return stdout.includes('cli.js serve') ? npx : starterOf(child)
}

/** As a terminal does it: to npx and to all that it started. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

function launchIn(folder: string, user: User | undefined, program: string, words: readonly string[], env: Env) {
  const own = join(folder, 'node_modules', '.bin', program)
  const child = spawn(program === 'node' ? own : program, [...words], {
    cwd: folder,
    env: { PATH: pathOfSystem(), HOME: folder, npm_config_update_notifier: 'false', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  children.add(child)
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk
    const logs = process.env.REFDESK_TEST_LOG
    if (logs !== undefined) appendFileSync(join(logs, `package-${child.pid}.log`), chunk)
  })
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      children.delete(child)
      resolve({ code, ...said })
    })
  })
  return { child, said, ended }
}
