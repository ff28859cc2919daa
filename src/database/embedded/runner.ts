import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { chmod, chown, cp, lchown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Binaries } from './binaries.ts'
import { findPostmaster } from './postmaster.ts'

const run = promisify(execFile)
const bounded = { timeout: 10_000, cwd: '/' }

/** Which OS user runs the PostgreSQL programs, and where. PostgreSQL does not run as root, so root has two ways. */
export interface Runner {
  readonly binaries: Binaries
  /** Contains the cluster: dataDir, unless the cluster must belong to another OS user. */
  readonly home: string
  /** Owns the cluster and its socket, if that is not the current user. */
  readonly owner: { uid: number; gid: number } | undefined
  /** Uses a separate process group, so that Ctrl-C reaches only refdesk, which then stops PostgreSQL. */
  spawn(program: string, args: string[], stdio: StdioOptions): ChildProcess
}

const systemUser = 'refdesk-postgres'
const systemUserRoot = '/var/lib/refdesk'

export async function chooseRunner(dataDir: string, binaries: Binaries): Promise<Runner> {
  const movedTo = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => undefined)
  if (process.getuid?.() !== 0) {
    if (movedTo === undefined) return ordinary(dataDir, binaries)
    const place = movedTo.trim()
    throw new Error(`The database of ${dataDir} is in ${place} and was created by root: start refdesk as root.`)
  }
  if (movedTo === undefined) {
    const inNamespace = await namespaceRunner(dataDir, binaries)
    if (inNamespace) return inNamespace
    const running = await findPostmaster(join(dataDir, 'postgres'))
    if (running) throw new Error(`PostgreSQL (process ${running.pid}) is still running in ${dataDir}: stop it first.`)
  }
  return systemUserRunner(dataDir, binaries, movedTo?.trim()).catch((cause: unknown) => {
    const message =
      'PostgreSQL does not run as root and this system allows neither a user namespace nor an OS user for it: ' +
      'run refdesk as an ordinary user, or set DATABASE_URL.'
    throw new Error(message, { cause })
  })
}

function ordinary(home: string, binaries: Binaries): Runner {
  const spawnDetached: Runner['spawn'] = (program, args, stdio) =>
    spawn(program, args, { stdio, detached: true, windowsHide: true })
  return { binaries, home, owner: undefined, spawn: spawnDetached }
}

/** Root outside, an ordinary user inside. Files still belong to root, so folders that only root can enter work.
 *  The user must exist, because initdb looks up its name. */
async function namespaceRunner(dataDir: string, binaries: Binaries): Promise<Runner | undefined> {
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = users.find(([name, , id]) => name === 'nobody' && id !== '0') ?? users.find(isOrdinary) ?? []
  if (uid === undefined || gid === undefined) return undefined
  const enter = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  const probe = ['sh', '-c', '"$1" --version && test -w "$2" && test -x "$2"', 'sh', binaries.postgres, dataDir]
  if (!(await run('unshare', [...enter, ...probe], bounded).catch(() => undefined))) return undefined
  const spawnInside: Runner['spawn'] = (program, args, stdio) =>
    spawn('unshare', [...enter, program, ...args], { stdio, detached: true, cwd: '/' })
  return { binaries, home: dataDir, owner: undefined, spawn: spawnInside }
}

const isOrdinary = ([, , id]: string[]): boolean => id !== undefined && id !== '' && id !== '0'

/** A system user that can access neither node_modules nor the data folder, so binaries and cluster move. */
async function systemUserRunner(dataDir: string, binaries: Binaries, movedTo: string | undefined): Promise<Runner> {
  const owner = await findOrCreateUser()
  const home = movedTo ?? join(systemUserRoot, sha256(dataDir).toString('hex').slice(0, 12))
  await mkdir(home, { recursive: true })
  await chmod(systemUserRoot, 0o755)
  await chown(home, owner.uid, owner.gid)
  await chmod(home, 0o700)
  const copied = await copyBinaries(binaries)
  await run(copied.postgres, ['--version'], { ...bounded, ...owner })
  await moveCluster(dataDir, home, owner)
  await writeFile(join(dataDir, 'postgres.location'), `${home}\n`)
  const spawnAsOwner: Runner['spawn'] = (program, args, stdio) =>
    spawn(program, args, { stdio, detached: true, cwd: '/', ...owner })
  return { binaries: copied, home, owner, spawn: spawnAsOwner }
}

async function findOrCreateUser(): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: string) => Number((await run('id', [flag, systemUser], bounded)).stdout)
  const find = async () => ({ uid: await idOf('-u'), gid: await idOf('-g') })
  return find().catch(async () => {
    const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/', systemUser]
    // Fails if a concurrent start was faster. All that matters is that the user exists afterwards.
    await run('useradd', args, bounded).catch(() => undefined)
    return find()
  })
}

async function copyBinaries(binaries: Binaries): Promise<Binaries> {
  const folder = join(systemUserRoot, `postgresql-${binaries.version}`)
  const moved = (program: string) => join(folder, program.slice(binaries.folder.length))
  const { postgres, initdb, pgCtl, version } = binaries
  const copy = { postgres: moved(postgres), initdb: moved(initdb), pgCtl: moved(pgCtl), folder, version }
  const present = await readdir(folder).catch((): string[] => [])
  if (present.length > 0) return copy
  const temporary = `${folder}.new-${process.pid}`
  await cp(binaries.folder, temporary, { recursive: true, verbatimSymlinks: true })
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }))
  return copy
}

/** Moves a cluster that was created while user namespaces were allowed. The old copy is kept as a backup. */
async function moveCluster(dataDir: string, home: string, owner: { uid: number; gid: number }): Promise<void> {
  const from = join(dataDir, 'postgres')
  const to = join(home, 'postgres')
  const [old, present] = await Promise.all([from, to].map((folder) => readdir(folder).catch((): string[] => [])))
  if (!old?.includes('PG_VERSION') || present?.includes('PG_VERSION')) return
  const temporary = `${to}.new-${process.pid}`
  await cp(from, temporary, { recursive: true, verbatimSymlinks: true })
  for (const file of await readdir(temporary, { recursive: true }))
    await lchown(join(temporary, file), owner.uid, owner.gid)
  await lchown(temporary, owner.uid, owner.gid)
  await chmod(temporary, 0o700)
  await rename(temporary, to)
  await rename(from, `${from}.moved`)
}
