import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The configured key, or with the bundled database one that is made once and kept beside it, for its owner only. */
export async function readMasterKey(config: Config): Promise<Buffer> {
  if (config.masterKey) return config.masterKey
  const file = join(config.dataDir, 'master.key')
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
  if (key.length !== 32)
    throw new Error(`${file} does not hold a key of 32 bytes. Put the right one back, or set MASTER_KEY.`)
  return key
}
