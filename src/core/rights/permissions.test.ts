import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, mayOperate, permissionOf, permissions, permissionsOf } from './permissions.ts'

const names = Object.keys(permissions)

test('a read-only token has no permission that changes something; others have all', () => {
  for (const name of names as (keyof typeof permissions)[]) {
    assert.equal(allows({ mayWrite: false }, name), permissions[name].level === 'Read', name)
    assert.equal(allows({ mayWrite: true }, name), true, name)
  }
})

test('in live there is nothing to simulate, and only the console has what operators may', () => {
  const ofLive = permissionsOf({ mayWrite: true, environment: 'live', isConsole: false })
  const missing = names.filter((name) => !ofLive.includes(name as never))
  const ofSim = ['makeDayTokens', 'changeClock', 'loadScenarios', 'changeSim']
  assert.deepEqual(missing, [...ofSim, 'readAllClients', 'importData'])
  const ofConsole = permissionsOf({ mayWrite: true, environment: 'live', isConsole: true })
  assert.deepEqual(ofConsole, [...ofLive, 'readAllClients', 'importData'])
  assert.deepEqual(permissionsOf({ mayWrite: true, environment: 'sim', isConsole: false }), names)
  assert.deepEqual([mayOperate('live', false), mayOperate('live', true), mayOperate('sim', false)], [false, true, true])
})

test('an operation without a permission reads what its service group is about', () => {
  assert.equal(permissionOf({ path: '/ca/v2/events' }), 'readEvents')
  assert.equal(permissionOf({ path: '/x/v1/sessions' }), 'readSessions')
  assert.equal(permissionOf({ path: '/other' }), 'readReferenceData')
  assert.equal(permissionOf({ path: '/ca/v2/elections', permission: 'elect' }), 'elect')
})
