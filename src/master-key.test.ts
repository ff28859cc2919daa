import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from './config.ts'
import { readMasterKey } from './master-key.ts'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-key-'))
after(() => rm(folder, { recursive: true, force: true }))
const keyIn = (name: string) => readMasterKey(readConfig({}, { DATA_DIR: join(folder, name) }))

test('processes that start at once on an empty folder share one key, readable by its owner only', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => keyIn('together')))
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1)
  assert.equal(keys[0]?.length, 32)
  assert.equal((await stat(join(folder, 'together', 'master.key'))).mode & 0o777, 0o600)
})

test('uses the configured key and creates no file', async () => {
  const MASTER_KEY = Buffer.alloc(32, 3).toString('base64')
  const config = readConfig({}, { DATA_DIR: join(folder, 'configured'), MASTER_KEY })
  assert.equal((await readMasterKey(config)).toString('base64'), MASTER_KEY)
  await assert.rejects(stat(join(folder, 'configured')), { code: 'ENOENT' })
})

test('rejects a file that does not contain a key, by name', async () => {
  await keyIn('spoilt')
  const file = join(folder, 'spoilt', 'master.key')
  await writeFile(file, 'short')
  await assert.rejects(keyIn('spoilt'), (error: Error) =>
    error.message.startsWith(`${file} does not contain a 32-byte key`),
  )
  await writeFile(file, '')
  await assert.rejects(keyIn('spoilt'), (error: Error) => error.message.startsWith(`${file} is empty.`))
})
