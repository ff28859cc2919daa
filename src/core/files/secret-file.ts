import { randomBytes } from 'node:crypto'
import { link, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * A secret that is made once and read ever after, by its owner only. It is written aside, flushed and linked into
 * place: the name is never seen without its whole content, and of two who start at once one wins and both read the same.
 */
export async function readOrMakeSecretFile(file: string, make: () => string): Promise<string> {
  const kept = await readIfThere(file)
  if (kept === undefined) await linkNew(file, make())
  await removeLeftovers(file)
  // By everyone, not the winner alone: nobody may use a secret that a power cut could still take away.
  await syncFolder(dirname(file))
  const secret = (kept ?? (await readFile(file, 'utf8'))).trim()
  if (secret !== '') return secret
  throw new Error(`${file} is empty. Put its content back, or remove the file if nothing was ever stored with it.`)
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

async function linkNew(file: string, secret: string): Promise<void> {
  const aside = `${file}.new-${randomBytes(8).toString('hex')}`
  await writeFile(aside, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await link(aside, file).catch((error: NodeJS.ErrnoException) => {
    // Another was quicker, and may have tidied ours away already.
    if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
  })
}

/** Once the secret has its place, whatever is still aside can no longer win: ours, a slower one's, a killed one's. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(file)}.new-`)) await rm(join(folder, name), { force: true })
}

/** A name is durable when its folder is. Windows cannot flush a folder and does so by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
