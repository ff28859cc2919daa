import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Creates a folder and its missing parents for their owner only. `recursive` of Node.js never returns in /proc. */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = []
  let folder = resolve(path)
  for (; !(await isThere(folder)); folder = dirname(folder)) missing.push(folder)
  for (const each of missing.toReversed()) await makeOne(each)
}

/** Whether there is a folder. A file in its place is an error. */
async function isThere(folder: string): Promise<boolean> {
  try {
    if ((await stat(folder)).isDirectory()) return true
  } catch (error) {
    // Below a file nothing exists.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR', path: folder })
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process may have created it.
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    throw new Error(`${dirname(folder)} takes no new folders. Set DATA_DIR to a folder that this user owns.`)
  }
}
