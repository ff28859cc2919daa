import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildFileInProcess } from './run-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-build-'))
after(() => rm(folder, { recursive: true }))

// No database listens on port 1.
const order = { kind: 'whole' as const, connection: { host: '127.0.0.1', port: 1 }, folder, isUrgent: true }
const never = new AbortController().signal

test('a process that cannot be started is an error and does not end this one', async () => {
  const { execPath } = process
  process.execPath = join(folder, 'removed')
  try {
    await assert.rejects(buildFileInProcess(order, never), /ENOENT/)
  } finally {
    process.execPath = execPath
  }
})

test('a build that fails is an error and leaves no file', async () => {
  await assert.rejects(buildFileInProcess(order, never), /ECONNREFUSED/)
  assert.deepEqual(await readdir(folder), [])
})

test('a build can be aborted before and after its process starts', async () => {
  const aborting = new AbortController()
  const building = buildFileInProcess(order, aborting.signal)
  aborting.abort()
  await assert.rejects(building, /The process has ended/)
  await assert.rejects(buildFileInProcess(order, aborting.signal), { name: 'AbortError' })
})
