import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight } from './single-flight.ts'

/** A task whose runs are ended by hand. */
function heldTask() {
  const runs: PromiseWithResolvers<void>[] = []
  let atOnce = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++atOnce)
    const run = Promise.withResolvers<void>()
    runs.push(run)
    await run.promise.finally(() => atOnce--)
  }
  return { task, runs, most: () => most }
}

test('a task never runs twice at a time, and calls during a run share one more', async () => {
  const held = heldTask()
  const run = singleFlight(held.task)
  const ended: string[] = []
  const calls = [run().then(() => ended.push('first'))]
  for (const name of ['second', 'third']) calls.push(run().then(() => ended.push(name)))
  assert.equal(held.runs.length, 1)
  held.runs[0]?.resolve()
  await calls[0]
  assert.deepEqual(ended, ['first'], 'the others wait for a run that began after they called')
  assert.equal(held.runs.length, 2)
  held.runs[1]?.resolve()
  await Promise.all(calls)
  assert.deepEqual([held.runs.length, held.most()], [2, 1])
})

test('a failed run rejects for its callers, and the next one still runs', async () => {
  const held = heldTask()
  const run = singleFlight(held.task)
  const first = run()
  const second = run()
  held.runs[0]?.reject(new Error('away'))
  await assert.rejects(first, /away/)
  await new Promise(setImmediate)
  held.runs[1]?.resolve()
  await second
  const third = run()
  held.runs[2]?.resolve()
  await third
})
