import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasDotSegments } from './dot-segments.ts'

test('finds empty segments, dots and encoded dots in a path, but not in its query', () => {
  for (const path of ['/', '/a/', '/a//b', '/./a', '/a/..', '/a/%2e', '/a/.%2E/b', '/a/%2e%2e?b=c', '/a/?b'])
    assert.equal(hasDotSegments(path), true, path)
  for (const path of ['/a/..\\b', '/a/.\t./b', '/a\\..\\..\\b', '/a/.\r./b', '/a/..\n', '/a/..#b', '/a/.. '])
    assert.equal(hasDotSegments(path), true, JSON.stringify(path))
  for (const path of ['/a/..\x00', '/a/..\x1f \x0b']) assert.equal(hasDotSegments(path), true, JSON.stringify(path))
  for (const path of [
    '',
    '/a',
    '/a/...',
    '/a.b/c',
    '/a/%2ea',
    '/a?b=/../',
    '/a?b=c?/./',
    '/a?b=\\..\t',
    '/a#/../',
    '/%5c..%5c',
    '/%2f..%2f',
    '?/..',
  ])
    assert.equal(hasDotSegments(path), false, path)
})

/** As a URL parser encodes what it does not drop. */
const encoded = (path: string) => path.replaceAll(/[^!-~]/g, encodeURIComponent)

test('finds every path that a URL parser would change', () => {
  const unit = fc.constantFrom(...'/.?#a%\\\t\r\n \x00\x0b\x1f\x7f', '%2e', '%2E')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const path = `/a${text}`
      const sent = path.split(/[?#]/, 1)[0] ?? ''
      const isChanged = new URL(`http://localhost${path}`).pathname !== encoded(sent)
      assert.equal(hasDotSegments(path), isChanged || /\/(?:\/|$)/.test(sent))
    }),
    { numRuns: 1_000 },
  )
})
