import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeFolder } from './make-folder.ts'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-folder-'))
after(() => rm(folder, { recursive: true }))

test('creates a folder and those above it, for their owner only, also if another process does so too', async () => {
  const path = join(folder, 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path)])
  await makeFolder(path)
  for (const each of ['a', 'a/b', 'a/b/c']) assert.equal((await stat(join(folder, each))).mode & 0o777, 0o700)
})

test('says that a file is in its place', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'data')]) await assert.rejects(makeFolder(path), { code: 'ENOTDIR', path: file })
})

test('does not wait for ever where folders cannot be created', { skip: process.platform !== 'linux' }, async () => {
  await assert.rejects(makeFolder('/proc/x/data'), /^Error: \/proc takes no new folders\. Set DATA_DIR to a folder/)
})
