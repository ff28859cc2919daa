import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasDotSegments } from './dot-segments.ts'

test('finds empty segments, dots and encoded dots in a path, but not in its query', () => {
  for (const path of ['/', '/a/', '/a//b', '/./a', '/a/..', '/a/%2e', '/a/.%2E/b', '/a/%2e%2e?b=c', '/a/?b'])
    assert.equal(hasDotSegments(path), true, path)
  for (const path of ['', '/a', '/a/...', '/a.b/c', '/a/%2ea', '/a?b=/../', '/a?b=c?/./', '/%2f..%2f', '?/..'])
    assert.equal(hasDotSegments(path), false, path)
})

test('reads any path segment by segment', () => {
  const unit = fc.constantFrom('/', '.', '%2e', '%2E', '?', 'a', '%', '\n')
  fc.assert(
    fc.property(fc.string({ unit }), (path) => {
      const [, ...segments] = (path.split('?', 1)[0] ?? '').split('/')
      const isDots = (segment: string) => ['', '.', '..'].includes(segment.replaceAll(/%2e/gi, '.'))
      assert.equal(hasDotSegments(path), segments.some(isDots))
    }),
  )
})
