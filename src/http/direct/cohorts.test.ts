import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Cohorts } from './cohorts.ts'

function noting() {
  const steps: string[] = []
  const cohorts = new Cohorts<number, number>(
    (arrived) => {
      steps.push(`make ${arrived}`)
      return arrived < 0 ? undefined : arrived
    },
    (made) => void steps.push(`write ${made}`),
  )
  return { cohorts, steps }
}

test('the responses of a turn are made before the first one is written', async () => {
  const { cohorts, steps } = noting()
  for (const arrived of [1, -2, 3]) cohorts.add(arrived)
  assert.deepEqual(steps, [])
  await setImmediate()
  assert.deepEqual(steps, ['make 1', 'make -2', 'make 3', 'write 1', 'write 3'])
})

test('a response waits for at most fifteen others, and none is lost or out of order', async () => {
  const { cohorts, steps } = noting()
  const all = Array.from({ length: 100 }, (_, index) => index)
  for (const arrived of all) cohorts.add(arrived)
  await setImmediate()
  assert.deepEqual(
    steps.filter((step) => step.startsWith('write')),
    all.map((made) => `write ${made}`),
  )
  assert.equal(steps.indexOf('write 0'), 16)
  assert.equal(steps.indexOf('write 99'), 199)
})

test('what arrives while a turn is served is served in the next one', async () => {
  const steps: string[] = []
  const cohorts: Cohorts<string, string> = new Cohorts(
    (arrived) => {
      if (arrived === 'first') cohorts.add('second')
      return arrived
    },
    (made) => void steps.push(made),
  )
  cohorts.add('first')
  await setImmediate()
  assert.deepEqual(steps, ['first'])
  await setImmediate()
  assert.deepEqual(steps, ['first', 'second'])
})
