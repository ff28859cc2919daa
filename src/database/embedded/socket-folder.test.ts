import assert from 'node:assert/strict'
import { rmdir, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomHex } from '../../core/crypto/keys.ts'
import { ensureSocketFolder } from './socket-folder.ts'

test('creates the socket folder while other commands that end keep removing it', async () => {
  const dataDir = `/nowhere/${randomHex()}`
  const folder = await ensureSocketFolder(dataDir, { owner: undefined })
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  let isOver = false
  const removals = [0, 1].map(async (pauseMs) => {
    for (; !isOver; await sleep(pauseMs)) await rmdir(folder).catch(() => undefined)
  })
  try {
    for (let round = 0; round < 1000; round++)
      assert.equal(await ensureSocketFolder(dataDir, { owner: undefined }), folder)
  } finally {
    isOver = true
    await Promise.all(removals)
    await rmdir(folder).catch(() => undefined)
  }
})

test('rejects a missing temporary folder instead of retrying forever', async (context) => {
  const before = process.env.TMPDIR
  process.env.TMPDIR = '/nowhere'
  context.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  await assert.rejects(ensureSocketFolder('/nowhere/data', { owner: undefined }), { code: 'ENOENT' })
})
