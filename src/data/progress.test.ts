import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress } from './progress.ts'

function watch(isTTY: boolean, totalBytes: number | undefined) {
  const said: string[] = []
  const time = { ms: 0 }
  const progress = new Progress({ isTTY, write: (text) => said.push(text) }, totalBytes, () => time.ms)
  return { said, time, progress }
}

test('on a terminal, one line shows every phase with its share, and is cleared at the end', () => {
  const { said, time, progress } = watch(true, 1_000)
  progress.addBytes(500)
  progress.addRecords(10)
  assert.deepEqual(said, [])
  time.ms = 1_000
  progress.addRecords(10)
  assert.deepEqual(said.splice(0), ['\rreading [############............] 50 %, 20 records, 20/s'])
  progress.begin('checking', 4)
  assert.match(said.splice(0)[0] ?? '', /^\rchecking \[\.{24}\] 0 %, 20 records, 0 s +$/)
  time.ms = 4_000
  progress.step()
  assert.match(said.splice(0)[0] ?? '', /^\rchecking \[#{6}\.{18}\] 25 %, 20 records, 3 s *$/)
  time.ms = 4_050
  progress.step()
  assert.deepEqual(said, [])
  progress.begin('committing')
  assert.match(said.splice(0)[0] ?? '', /^\rcommitting 20 records, 0 s +$/)
  progress.end()
  assert.match(said[0] ?? '', /^\r +\r$/)
  assert.equal(progress.took(), 'Took 4.0 s: reading 1.0, checking 3.0.')
})

test('a line is redrawn while a long statement runs', async () => {
  const said: string[] = []
  const drawn = Promise.withResolvers<void>()
  const write = (text: string) => {
    said.push(text)
    if (said.length === 2) drawn.resolve()
  }
  const progress = new Progress({ isTTY: true, write }, undefined)
  progress.begin('merging', 4)
  await drawn.promise
  progress.end()
  assert.match(said[1] ?? '', /^\rmerging \[\.{24}\] 0 %, 0 records/)
})

test('elsewhere, prints a plain line now and then, and nothing for a short import', () => {
  const { said, time, progress } = watch(false, undefined)
  time.ms = 9_999
  progress.addRecords(5)
  progress.begin('checking', 2)
  assert.deepEqual(said, [])
  time.ms = 10_000
  progress.addRecords(5)
  time.ms = 19_999
  progress.begin('merging', 2)
  time.ms = 20_000
  progress.step()
  progress.end()
  assert.deepEqual(said, ['checking 0 %, 10 records, 0 s\n', 'merging 50 %, 10 records, 0 s\n'])
  assert.equal(progress.took(), 'Took 20.0 s: reading 10.0, checking 10.0.')
})

test('an empty file counts as fully read', () => {
  const { said, time, progress } = watch(false, 0)
  time.ms = 10_000
  progress.addRecords(0)
  progress.end()
  assert.deepEqual(said, ['reading 100 %, 0 records, 0/s\n'])
})
