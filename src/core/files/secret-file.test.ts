import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { readOrMakeSecretFile } from './secret-file.ts'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refdesk-secret-'))
  file = join(folder, 'a.secret')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a secret is made once and stays the same', async () => {
  assert.equal(await readOrMakeSecretFile(file, () => 'first'), 'first')
  assert.equal(await readOrMakeSecretFile(file, () => assert.fail('made again')), 'first')
  assert.equal(await readFile(file, 'utf8'), 'first\n')
})

test('only its owner may read it, and nothing else is left beside it', async () => {
  await readOrMakeSecretFile(file, () => 'secret')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['a.secret'])
})

test('of many who start at once one wins, and all read the same', async () => {
  const starters = Array.from({ length: 20 }, (_, index) => readOrMakeSecretFile(file, () => `secret ${index}`))
  const read = new Set(await Promise.all(starters))
  assert.equal(read.size, 1)
  assert.deepEqual([`${[...read][0]}\n`], [await readFile(file, 'utf8')])
  assert.deepEqual(await readdir(folder), ['a.secret'])
})

test('a start that ends before the secret is written leaves no file of that name', async () => {
  const broken = () => {
    throw new Error('killed')
  }
  await assert.rejects(readOrMakeSecretFile(file, broken), /killed/)
  assert.deepEqual(await readdir(folder), [])
})

test('what a killed start left aside is never taken for the secret, and is removed', async () => {
  await writeFile(`${file}.new-0123456789abcdef`, 'hal')
  assert.equal(await readOrMakeSecretFile(file, () => 'whole'), 'whole')
  assert.deepEqual(await readdir(folder), ['a.secret'])
})

test('an empty file is refused by its name, not filled: what was stored with it may still be there', async () => {
  await writeFile(file, '\n')
  await assert.rejects(
    readOrMakeSecretFile(file, () => 'new'),
    (error: Error) => error.message.startsWith(`${file} is empty.`),
  )
  assert.equal(await readFile(file, 'utf8'), '\n')
})

test('what cannot be read is not taken for a missing one', async () => {
  await mkdir(file)
  await assert.rejects(
    readOrMakeSecretFile(file, () => 'new'),
    { code: 'EISDIR' },
  )
})
