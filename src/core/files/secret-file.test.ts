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

test('a secret is generated once and stays the same', async () => {
  assert.equal(await readOrMakeSecretFile(file, () => 'first'), 'first')
  assert.equal(await readOrMakeSecretFile(file, () => assert.fail('made again')), 'first')
  assert.equal(await readFile(file, 'utf8'), 'first\n')
})

test('only the owner can read it, and no other file remains', async () => {
  await readOrMakeSecretFile(file, () => 'secret')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['a.secret'])
})

test('concurrent starts all read the same secret', async () => {
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

test('the leftovers of a killed start are removed and never used', async () => {
  await writeFile(`${file}.new-0123456789abcdef`, 'hal')
  assert.equal(await readOrMakeSecretFile(file, () => 'whole'), 'whole')
  assert.deepEqual(await readdir(folder), ['a.secret'])
})

test('rejects an empty file by name instead of filling it, because data may depend on the lost secret', async () => {
  await writeFile(file, '\n')
  await assert.rejects(
    readOrMakeSecretFile(file, () => 'new'),
    (error: Error) => error.message.startsWith(`${file} is empty.`),
  )
  assert.equal(await readFile(file, 'utf8'), '\n')
})

test('an unreadable file is an error, not a missing file', async () => {
  await mkdir(file)
  await assert.rejects(
    readOrMakeSecretFile(file, () => 'new'),
    { code: 'EISDIR' },
  )
})
