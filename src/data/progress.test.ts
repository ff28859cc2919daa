import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress } from './progress.ts'

function watch(isTTY: boolean, totalBytes: number | undefined) {
  const said: string[] = []
  const time = { ms: 0 }
  const progress = new Progress({ isTTY, write: (text) => said.push(text) }, totalBytes, () => time.ms)
  return { said, time, progress }
}

test('on a terminal, redraws one line a few times a second and clears it at the end', () => {
  const { said, time, progress } = watch(true, 1_000)
  progress.addBytes(500)
  progress.addRecords(10)
  assert.deepEqual(said, [])
  time.ms = 1_000
  progress.addRecords(10)
  assert.deepEqual(said, ['\rreading [############............] 50 %, 20 records, 20/s'])
  progress.phase('checking')
  assert.match(said[1] ?? '', /^\rchecking 20 records +$/)
  progress.end()
  assert.match(said[2] ?? '', /^\r +\r$/)
})

test('elsewhere, prints a plain line now and then', () => {
  const { said, time, progress } = watch(false, undefined)
  time.ms = 9_999
  progress.addRecords(5)
  time.ms = 10_000
  progress.addRecords(5)
  progress.phase('merging')
  progress.end()
  assert.deepEqual(said, ['reading 10 records, 1/s\n', 'merging 10 records\n'])
})

test('an empty file counts as fully read', () => {
  const { said, time, progress } = watch(false, 0)
  time.ms = 10_000
  progress.addRecords(0)
  assert.deepEqual(said, ['reading 100 %, 0 records, 0/s\n'])
})
