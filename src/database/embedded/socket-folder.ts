import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../core/crypto/keys.ts'
import type { Runner } from './runner.ts'

/** sun_path has 108 bytes, including the closing zero. */
const maxSocketPathBytes = 107

/** The socket has a folder of its own, because a data folder's path may be too long for a socket. */
export async function ensureSocketFolder(dataDir: string, { owner }: Pick<Runner, 'owner'>): Promise<string> {
  const ownUid = process.getuid?.() ?? 0
  const hash = sha256(`${dataDir} ${owner?.uid ?? ownUid}`).toString('hex')
  const name = `refdesk-${hash.slice(0, 12)}`
  const usual = join(tmpdir(), name)
  const folder = Buffer.byteLength(join(usual, '.s.PGSQL.5432')) > maxSocketPathBytes ? join('/tmp', name) : usual
  // A command that ends removes the folder, possibly between two steps here: then the steps are repeated.
  while (true) {
    const isNew = await mkdir(folder, { mode: 0o700 }).then(() => true, unless('EEXIST'))
    if (isNew && !owner) return folder
    const found = await lstat(folder).catch(unless('ENOENT'))
    if (!found) continue
    // With an owner, a folder of ours is one that was created a moment ago, here or by a concurrent start.
    if (!found.isDirectory() || (found.uid !== (owner?.uid ?? ownUid) && found.uid !== ownUid))
      throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR to a folder of your own.`)
    if (await setOwnerAndMode(folder, owner).catch(unless('ENOENT'))) return folder
  }
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
