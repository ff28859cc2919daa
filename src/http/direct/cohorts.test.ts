import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Cohorts } from './cohorts.ts'

function noting() {
  const steps: string[] = []
  const cohorts = new Cohorts<number, number>(
    (request) => {
      steps.push(`prepare ${request}`)
      return request < 0 ? undefined : request
    },
    (response) => void steps.push(`write ${response}`),
  )
  return { cohorts, steps }
}

test('the responses of a turn are prepared before the first one is written', async () => {
  const { cohorts, steps } = noting()
  for (const request of [1, -2, 3]) cohorts.add(request)
  assert.deepEqual(steps, [])
  await setImmediate()
  assert.deepEqual(steps, ['prepare 1', 'prepare -2', 'prepare 3', 'write 1', 'write 3'])
})

test('a response waits for at most fifteen others, and none is lost or out of order', async () => {
  const { cohorts, steps } = noting()
  const all = Array.from({ length: 100 }, (_, index) => index)
  for (const request of all) cohorts.add(request)
  await setImmediate()
  assert.deepEqual(
    steps.filter((step) => step.startsWith('write')),
    all.map((response) => `write ${response}`),
  )
  assert.equal(steps.indexOf('write 0'), 16)
  assert.equal(steps.indexOf('write 99'), 199)
})

test('what arrives while a turn is served is served in the next one', async () => {
  const steps: string[] = []
  const cohorts: Cohorts<string, string> = new Cohorts(
    (request) => {
      if (request === 'first') cohorts.add('second')
      return request
    },
    (response) => void steps.push(response),
  )
  cohorts.add('first')
  await setImmediate()
  assert.deepEqual(steps, ['first'])
  await setImmediate()
  assert.deepEqual(steps, ['first', 'second'])
})
