import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { makeFolder } from './core/files/make-folder.ts'
import { readOrMakeSecretFile } from './core/files/secret-file.ts'

export const masterKeyFile = ({ dataDir }: Config): string => join(dataDir, 'master.key')

/** Returns MASTER_KEY, or a key generated once in DATA_DIR for the bundled database, readable by its owner only. */
export async function readMasterKey(config: Config): Promise<Buffer> {
  if (config.masterKey) return config.masterKey
  const file = masterKeyFile(config)
  await makeFolder(config.dataDir)
  const key = Buffer.from(await readOrMakeSecretFile(file, () => randomBytes(32).toString('base64')), 'base64')
  if (key.length !== 32)
    throw new Error(`${file} does not contain a 32-byte key. Restore the original file, or set MASTER_KEY.`)
  return key
}
