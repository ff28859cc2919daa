import { randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../core/crypto/keys.ts'
import { readOrMakeSecretFile, syncFolder } from '../../core/files/secret-file.ts'
import { isAlive } from './postmaster.ts'
import type { Runner } from './runner.ts'

const initSeconds = 120
/** sun_path holds 108 bytes with the closing zero. */
const socketPathBytes = 107

/** The superuser's password, made once. */
export function databasePassword(dataDir: string): Promise<string> {
  return readOrMakeSecretFile(join(dataDir, 'postgres.password'), () => randomBytes(24).toString('base64url'))
}

/** Makes the cluster when there is none. It is made aside and renamed when whole, so a killed initdb leaves no half. */
export async function ensureCluster(runner: Runner, password: string, sync: boolean): Promise<string> {
  const cluster = join(runner.home, 'postgres')
  await removeLeftovers(runner.home)
  const files = await readdir(cluster).catch((): string[] => [])
  if (files.includes('PG_VERSION') || files.includes('global')) return cluster
  if (files.length > 0) await rename(cluster, `${cluster}.incomplete-${randomBytes(4).toString('hex')}`)
  const making = newName(cluster)
  const passwordFile = `${making}.password`
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (runner.owner) await chown(passwordFile, runner.owner.uid, runner.owner.gid)
    await initialise(runner, making, passwordFile, sync)
    await rename(making, cluster).catch(async (error) => {
      // Another start was quicker: its cluster, made with the same password, is as good.
      if (!(await readdir(cluster).catch((): string[] => [])).includes('PG_VERSION')) throw error
    })
    await syncFolder(runner.home)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(making, { recursive: true, force: true })
  }
  return cluster
}

async function initialise(runner: Runner, folder: string, passwordFile: string, sync: boolean): Promise<void> {
  const args = ['-D', folder, '-U', 'refdesk', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
  if (!sync) args.push('--no-sync')
  const child = runner.spawn(runner.binaries.initdb, args, ['ignore', 'ignore', 'pipe'])
  const timer = setTimeout(() => child.kill('SIGKILL'), initSeconds * 1000)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearTimeout(timer)
  if (code !== 0) throw new Error(`initdb could not make the database in ${dirname(folder)}: ${said.trim()}`)
}

const ownNames = new Set<string>()

/** A name to make something under; it tells who is making it. */
function newName(path: string): string {
  const name = `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  ownNames.add(basename(name))
  return name
}

/** What a killed start left behind; what a living one is making is left alone. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [, made, pid] = /^(postgres\.new-(\d+)-\w+)/.exec(name) ?? []
    if (made === undefined || ownNames.has(made)) continue
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue
    // Its initdb may still be writing: what cannot be removed now, the next start removes.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

const mostTries = 10

/** A folder of its own for the socket, because the path of a socket is short and that of a data folder may be long. */
export async function ensureSocketFolder(dataDir: string, { owner }: Pick<Runner, 'owner'>): Promise<string> {
  const uid = owner?.uid ?? process.getuid?.() ?? 0
  const name = `refdesk-${sha256(`${dataDir} ${uid}`).toString('hex').slice(0, 12)}`
  const usual = join(tmpdir(), name)
  const folder = Buffer.byteLength(join(usual, '.s.PGSQL.5432')) > socketPathBytes ? join('/tmp', name) : usual
  for (let tries = 1; ; tries++) {
    try {
      await makeOwnFolder(folder, uid, owner)
      return folder
    } catch (error) {
      // The last command before takes the folder away when it ends, which may be right now.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === mostTries) throw error
    }
  }
}

async function makeOwnFolder(folder: string, uid: number, owner: Runner['owner']): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  if (made && owner) await chown(folder, owner.uid, owner.gid)
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== uid) {
    throw new Error(`${folder} belongs to someone else: remove it, or set TMPDIR to a folder of your own.`)
  }
  await chmod(folder, 0o700)
}
