import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsResource, readResource, resourcesOf, withResource } from './resource.ts'

const resources = resourcesOf('https://desk.example', '/sim/openapi')
const { rest, agents } = resources

test('a request without a resource is for the REST API', () => {
  assert.equal(readResource(undefined, resources), null)
  assert.equal(readResource(rest, resources), null)
})

test('finds the resource for agents in every spelling of its address', () => {
  for (const given of [agents, `${agents}/`, 'HTTPS://Desk.Example/mcp', 'https://desk.example:443/mcp'])
    assert.equal(readResource(given, resources), agents, given)
})

test('rejects other resources', () => {
  for (const given of ['mcp', 'https://desk.example', 'https://other.example/mcp', `${agents}/x`, `${agents}#x`, ''])
    assert.equal(readResource(given, resources), undefined, given)
  assert.equal(withResource({ resource: 'https://other.example/mcp' }, resources), undefined)
})

test('a token request may name the resource of its grant or none, but no other', () => {
  const sent = (resource?: string) =>
    withResource(resource === undefined ? {} : { resource }, resources) ?? assert.fail()
  for (const granted of [null, agents]) assert.ok(fitsResource(sent(), granted))
  assert.ok(fitsResource(sent(`${agents}/`), agents))
  assert.ok(fitsResource(sent(rest), null))
  assert.ok(!fitsResource(sent(agents), null))
  assert.ok(!fitsResource(sent(rest), agents))
})
