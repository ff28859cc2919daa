import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { scriptFrom } from './script.ts'

test('concurrent calls share one thread; a failure is retried by the next call', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-reader-'))
  try {
    const file = join(folder, 'thread.mjs')
    const script = scriptFrom(pathToFileURL(file))
    await writeFile(file, '')
    await assert.rejects(script(), /ended without a script/)
    await writeFile(file, "throw new Error('broken')")
    await assert.rejects(script(), /broken/)
    await writeFile(
      file,
      `import { parentPort } from 'node:worker_threads'
parentPort.postMessage({ hash: String(Math.random()), br: new Uint8Array(1), gzip: new Uint8Array(2) })
setInterval(() => {}, 1000)`,
    )
    const [first, second] = await Promise.all([script(), script()])
    assert.equal(first, second)
    assert.equal(await script(), first)
  } finally {
    await rm(folder, { recursive: true })
  }
})
