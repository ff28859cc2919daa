import { randomBytes } from 'node:crypto'
import { link, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Reads a secret that is generated once. It is written to a temporary file, flushed and linked into place, so the file is
 *  always complete, and of two concurrent starts one wins and both read the same secret. */
export async function readOrMakeSecretFile(file: string, make: () => string): Promise<string> {
  const kept = await readIfThere(file)
  if (kept === undefined) await linkNew(file, make())
  await removeLeftovers(file)
  // Also if another process created it: a power cut must not remove a secret that is in use.
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
  const temporary = `${file}.new-${randomBytes(8).toString('hex')}`
  await writeFile(temporary, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster, and may already have removed our file.
    if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
  })
}

/** Removes temporary files: ours, and those of slower or killed processes. None of them can win any more. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(file)}.new-`)) await rm(join(folder, name), { force: true })
}

/** Makes new names durable. Windows cannot flush a folder, and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
