import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StepTally } from './step-tally.ts'

test('a step counts all rows and names the first ten that it removes', () => {
  const tally = new StepTally({ section: '§7.2', title: 'Title', text: 'Text.' })
  tally.pass()
  tally.pass(3)
  let described = 0
  for (let at = 0; at < 12; at++)
    tally.remove(() => {
      described += 1
      return { Id: String(at), Reason: 'Why.' }
    })

  const { Removed, ...step } = tally.step
  assert.deepEqual(step, {
    Section: '§7.2',
    Title: 'Title',
    Text: 'Text.',
    RowsIn: 16,
    RowsOut: 4,
  })
  assert.deepEqual(
    Removed?.map(({ Id }) => Id),
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  )
  assert.equal(described, 10)
})
