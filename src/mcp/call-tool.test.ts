import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { requestOf } from './call-tool.ts'
import { toolsOf } from './tools.ts'

const tools = toolsOf('sim')

function targetOf(name: string, given: Record<string, unknown>): string {
  const tool = tools.find((one) => one.name === name) ?? assert.fail(name)
  return requestOf(tool, given).target
}

const isNotFound = { code: 'NoResultFound' }

test('values of a path are encoded, and cannot be dot segments', () => {
  assert.equal(targetOf('get_event', { EventId: 'a/../b?c' }), '/ca/v2/events/a%2F..%2Fb%3Fc')
  assert.equal(targetOf('get_event', { EventId: '...' }), '/ca/v2/events/...')
  for (const Uic of ['.', '..', []])
    assert.throws(() => targetOf('get_instrument', { Uic, AssetType: 'details' }), isNotFound, String(Uic))
})

test('values cannot name another operation, in any spelling that the router accepts', () => {
  for (const EventId of ['lookupdata', 'LookupData', 'loo\u212aupdata'])
    assert.throws(() => targetOf('get_event', { EventId }), isNotFound, EventId)
})

test('no documented path can be reached by the values of another operation', () => {
  const outline = readFileSync(new URL('../../test/api/openapi-outline.txt', import.meta.url), 'utf8')
  const documented = [...outline.matchAll(/^([A-Z]+) (\/[^ {]*) /gm)].map(([, method, path]) => ({ method, path }))
  const reachable = tools.flatMap(({ name, operation }) => {
    const pattern = new RegExp(`^${operation.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    return documented.flatMap(({ method, path = '' }) => {
      const { groups } = (method === operation.method && pattern.exec(path)) || {}
      return groups ? [[name, groups] as const] : []
    })
  })
  assert.ok(reachable.length > 0)
  for (const [name, groups] of reachable) assert.throws(() => targetOf(name, groups), isNotFound, name)
})
