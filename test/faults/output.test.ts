import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { writeFileWhole, writeStream } from '../../src/data/output.ts'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-output-'))
after(() => rm(folder, { recursive: true }))

async function* texts(breaks: boolean): AsyncGenerator<string> {
  yield 'first\n'
  if (breaks) throw new Error('the database went away')
  yield 'second\n'
}

test('an export replaces a file only when it is complete', async () => {
  const path = join(folder, 'out.ndjson')
  await writeFileWhole(path, texts(false))
  await assert.rejects(writeFileWhole(path, texts(true)), /went away/)
  assert.equal(await readFile(path, 'utf8'), 'first\nsecond\n')
  assert.deepEqual(await readdir(folder), ['out.ndjson'])
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`an export that ${signal} stops leaves nothing behind`, async () => {
    async function* endless(): AsyncGenerator<string> {
      yield 'first\n'
      setImmediate(() => process.emit(signal))
      await new Promise(() => {})
    }
    // The test runner listens for signals too.
    const others = process.listeners(signal)
    process.removeAllListeners(signal)
    const path = join(folder, 'stopped.ndjson.gz')
    await assert.rejects(writeFileWhole(path, endless()), /^Error: The export was stopped; \S+ was not written\.$/)
    assert.deepEqual(await readdir(folder), ['out.ndjson'])
    assert.equal(process.listenerCount(signal), 0)
    for (const listener of others) process.on(signal, listener)
  })

test('reports in one sentence that the reader closed standard output early', async () => {
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write'), { code: 'EPIPE' })),
  })
  await assert.rejects(
    writeStream(gone, texts(false)),
    /^Error: Standard output was closed before the export was complete\.$/,
  )
})
