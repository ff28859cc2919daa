import { chmod, chown, lstat, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomHex, sha256 } from '../../core/crypto/keys.ts'
import { isPostmaster } from './postmaster.ts'
import type { Runner } from './runner.ts'

/** sun_path has 108 bytes, including the closing zero. */
const maxSocketPathBytes = 107

/** The socket has a folder of its own, because a data folder's path may be too long for a socket. */
export function socketFolderOf(dataDir: string, { owner }: Pick<Runner, 'owner'>): string {
  const hash = sha256(`${dataDir} ${owner?.uid ?? ownUid()}`).toString('hex')
  const name = `refdesk-${hash.slice(0, 12)}`
  const usual = join(tmpdir(), name)
  return Buffer.byteLength(join(usual, '.s.PGSQL.5432')) > maxSocketPathBytes ? join('/tmp', name) : usual
}

const ownUid = (): number => process.getuid?.() ?? 0

export async function ensureSocketFolder(dataDir: string, { owner }: Pick<Runner, 'owner'>): Promise<string> {
  const folder = socketFolderOf(dataDir, { owner })
  // A command that ends removes the folder, possibly between two steps here: then the steps are repeated.
  while (true) {
    const isNew = await mkdir(folder, { mode: 0o700 }).then(() => true, unless('EEXIST'))
    if (isNew && !owner) return folder
    const found = await lstat(folder).catch(unless('ENOENT'))
    if (!found) continue
    // With an owner, a folder of ours is one that was created a moment ago, here or by a concurrent start.
    if (!found.isDirectory() || (found.uid !== (owner?.uid ?? ownUid()) && found.uid !== ownUid()))
      throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR to a folder of your own.`)
    if (await setOwnerAndMode(folder, owner).catch(unless('ENOENT'))) return folder
  }
}

/** Removes the folder with what a killed PostgreSQL left in it, unless one of this cluster is running there. */
export async function removeSocketFolder(folder: string, cluster: string): Promise<void> {
  const isDone = await rmdir(folder).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  )
  if (isDone) return
  // Nothing can be added to it under its new name: a start that comes between fails, and repeats its steps.
  const aside = `${folder}.${randomHex().slice(0, 8)}`
  if (!(await rename(folder, aside).then(() => true, unless('ENOENT')))) return
  const lock = await readFile(join(aside, '.s.PGSQL.5432.lock'), 'utf8').catch(() => '')
  if (await isPostmaster(Number(lock.split('\n')[0]), cluster)) await rename(aside, folder)
  else await rm(aside, { recursive: true, force: true })
}

async function setOwnerAndMode(folder: string, owner: Runner['owner']): Promise<true> {
  if (owner) await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
  return true
}

/** For catch: false for the expected error code, throws any other error. */
const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
  return false as const
}
