import assert from 'node:assert/strict'
import { rmdir, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomHex } from '../../core/crypto/keys.ts'
import { ensureSocketFolder } from './cluster.ts'

test('the folder of the socket is made ready while commands that end take it away', async () => {
  const dataDir = `/nowhere/${randomHex()}`
  const folder = await ensureSocketFolder(dataDir, { owner: undefined })
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  let over = false
  const taking = (async () => {
    for (; !over; await sleep(1)) await rmdir(folder).catch(() => undefined)
  })()
  try {
    for (let round = 0; round < 1000; round++)
      assert.equal(await ensureSocketFolder(dataDir, { owner: undefined }), folder)
  } finally {
    over = true
    await taking
    await rmdir(folder).catch(() => undefined)
  }
})
