import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { chmod, chown, cp, lchown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Binaries } from './binaries.ts'
import { findPostmaster } from './postmaster.ts'

const run = promisify(execFile)
const bounded = { timeout: 10_000, cwd: '/' }

/** As whom, and where, the PostgreSQL programs run. PostgreSQL refuses to run as root, so for root there are two ways. */
export interface Runner {
  readonly binaries: Binaries
  /** The folder that holds the cluster: dataDir, unless the cluster has to belong to another OS user. */
  readonly home: string
  /** The OS user the cluster and its socket belong to, when it is not ours. */
  readonly owner: { uid: number; gid: number } | undefined
  /** In a process group of its own: Ctrl-C in our terminal is ours to handle, and PostgreSQL ends after us. */
  spawn(program: string, args: string[], stdio: StdioOptions): ChildProcess
}

const ownUser = 'refdesk-postgres'
const ownUserRoot = '/var/lib/refdesk'

export async function chooseRunner(dataDir: string, binaries: Binaries): Promise<Runner> {
  const movedTo = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => undefined)
  if (process.getuid?.() !== 0) {
    if (movedTo === undefined) return ordinary(dataDir, binaries)
    throw new Error(
      `The database of ${dataDir} lives in ${movedTo.trim()} and was made by root: start refdesk as root.`,
    )
  }
  if (movedTo === undefined) {
    const inNamespace = await namespaceRunner(dataDir, binaries)
    if (inNamespace) return inNamespace
    // What is about to move must not be in use.
    const running = await findPostmaster(join(dataDir, 'postgres'))
    if (running) throw new Error(`PostgreSQL (process ${running.pid}) still runs in ${dataDir}: stop it first.`)
  }
  return ownUserRunner(dataDir, binaries, movedTo?.trim()).catch((cause: unknown) => {
    const sentence =
      'PostgreSQL does not run as root and this system allows neither a user namespace nor an OS user for it: ' +
      'run refdesk as an ordinary user, or set DATABASE_URL.'
    throw new Error(sentence, { cause })
  })
}

function ordinary(dataDir: string, binaries: Binaries): Runner {
  return {
    binaries,
    home: dataDir,
    owner: undefined,
    spawn: (program, args, stdio) => spawn(program, args, { stdio, detached: true, windowsHide: true }),
  }
}

/** Root outside, an ordinary user inside: files stay root's, so folders that only root may enter are no obstacle.
 *  The user has to exist, because initdb asks for its name. */
async function namespaceRunner(dataDir: string, binaries: Binaries): Promise<Runner | undefined> {
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = users.find(([name, , id]) => name === 'nobody' && id !== '0') ?? users.find(isOrdinary) ?? []
  if (uid === undefined || gid === undefined) return undefined
  const enter = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  const probe = ['sh', '-c', '"$1" --version && test -w "$2" && test -x "$2"', 'sh', binaries.postgres, dataDir]
  const works = await run('unshare', [...enter, ...probe], bounded).then(
    () => true,
    () => false,
  )
  if (!works) return undefined
  return {
    binaries,
    home: dataDir,
    owner: undefined,
    spawn: (program, args, stdio) =>
      spawn('unshare', [...enter, program, ...args], { stdio, detached: true, cwd: '/' }),
  }
}

const isOrdinary = ([, , id]: string[]): boolean => id !== undefined && id !== '' && id !== '0'

/** An OS user of its own, which can reach neither our modules nor our data folder: both move to where it can. */
async function ownUserRunner(dataDir: string, binaries: Binaries, movedTo: string | undefined): Promise<Runner> {
  const owner = await findOrMakeUser()
  const home = movedTo ?? join(ownUserRoot, sha256(dataDir).toString('hex').slice(0, 12))
  await mkdir(home, { recursive: true })
  await chmod(ownUserRoot, 0o755)
  await chown(home, owner.uid, owner.gid)
  await chmod(home, 0o700)
  const copied = await copyBinaries(binaries)
  await run(copied.postgres, ['--version'], { ...bounded, ...owner })
  await moveCluster(dataDir, home, owner)
  await writeFile(join(dataDir, 'postgres.location'), `${home}\n`)
  return {
    binaries: copied,
    home,
    owner,
    spawn: (program, args, stdio) => spawn(program, args, { stdio, detached: true, cwd: '/', ...owner }),
  }
}

async function findOrMakeUser(): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: string) => Number((await run('id', [flag, ownUser], bounded)).stdout)
  const find = async () => ({ uid: await idOf('-u'), gid: await idOf('-g') })
  return find().catch(async () => {
    // A second service starting at this moment may be quicker: what counts is that the user is there afterwards.
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', '/', ownUser], bounded).catch(
      () => undefined,
    )
    return find()
  })
}

async function copyBinaries(binaries: Binaries): Promise<Binaries> {
  const folder = join(ownUserRoot, `postgresql-${binaries.version}`)
  const moved = (program: string) => join(folder, program.slice(binaries.folder.length))
  const copy = {
    postgres: moved(binaries.postgres),
    initdb: moved(binaries.initdb),
    pgCtl: moved(binaries.pgCtl),
    folder,
    version: binaries.version,
  }
  const present = await readdir(folder).catch((): string[] => [])
  if (present.length > 0) return copy
  const making = `${folder}.new-${process.pid}`
  await cp(binaries.folder, making, { recursive: true, verbatimSymlinks: true })
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }))
  return copy
}

/** A cluster made while user namespaces were allowed goes along; the old copy is kept aside, never used again. */
async function moveCluster(dataDir: string, home: string, owner: { uid: number; gid: number }): Promise<void> {
  const from = join(dataDir, 'postgres')
  const to = join(home, 'postgres')
  const [old, present] = await Promise.all([from, to].map((folder) => readdir(folder).catch((): string[] => [])))
  if (!old?.includes('PG_VERSION') || present?.includes('PG_VERSION')) return
  const making = `${to}.new-${process.pid}`
  await cp(from, making, { recursive: true, verbatimSymlinks: true })
  for (const file of await readdir(making, { recursive: true })) await lchown(join(making, file), owner.uid, owner.gid)
  await lchown(making, owner.uid, owner.gid)
  await chmod(making, 0o700)
  await rename(making, to)
  await rename(from, `${from}.moved`)
}
