import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionsOfTools, toolsOf } from './tools.ts'

test('descriptions of tools name no headers and no pages, which agents do not have', () => {
  // Except for what only the user can do.
  for (const { name, description } of toolsOf('sim'))
    assert.doesNotMatch(
      description.replace(/Only the user can .*$/, ''),
      /Accept:|Link header|If-Match|ETag|console|access token/i,
      name,
    )
})

test('in live there are no tools that change the clock or the data', () => {
  const ofLive = toolsOf('live')
  assert.equal(ofLive.length, 8)
  assert.ok(ofLive.every(({ isReadOnly }) => isReadOnly))
  assert.equal(toolsOf('sim').length, 11)
})

test('the tools of live only read; those of sim also elect, change the clock and load scenarios', () => {
  const reads = ['readReferenceData', 'readEvents', 'readRequests']
  assert.deepEqual([...permissionsOfTools(toolsOf('live'))], reads)
  const sim = [...permissionsOfTools(toolsOf('sim'))]
  assert.deepEqual(sim.toSorted(), [...reads, 'elect', 'changeClock', 'loadScenarios'].toSorted())
})
