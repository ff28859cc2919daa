import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchPath, parseTarget } from './target.ts'

test('reads a path and query with or without the base path and the first slash', () => {
  const expected = { path: '/ca/v2/events', queryText: 'a=1?2' }
  for (const text of [
    '/ca/v2/events?a=1?2',
    'ca/v2/events?a=1?2',
    ' /sim/openapi/ca/v2/events?a=1?2#part ',
    'SIM/openapi/ca/v2/events?a=1?2',
  ])
    assert.deepEqual(parseTarget(text, '/sim/openapi').queryText, expected.queryText)
  assert.deepEqual(parseTarget('sim/openapi/ca/v2/events', '/sim/openapi'), { path: '/ca/v2/events', queryText: '' })
  assert.deepEqual(parseTarget('/sim/openapix/ca', '/sim/openapi').path, '/sim/openapix/ca')
  assert.deepEqual(parseTarget('', '/sim/openapi'), { path: '/', queryText: '' })
})

test('matches paths in any case, with or without a slash at the end, and decodes parameters', () => {
  const pattern = '/ca/v2/events/:EventId'
  assert.deepEqual(matchPath(pattern, '/ca/v2/events/a%20b'), { EventId: 'a b' })
  assert.deepEqual(matchPath(pattern, '/CA/v2/Events/aB/'), { EventId: 'aB' })
  assert.deepEqual(matchPath('/ca/v2/events', '/ca/v2/events/'), {})
  for (const other of ['/ca/v2/events', '/ca/v2/events/', '/ca/v2/event/1', '/ca/v2/events/1/2', '/ca/v2/events/%'])
    assert.equal(matchPath(pattern, other), undefined, other)
})
