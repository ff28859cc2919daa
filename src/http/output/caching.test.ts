import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../../test/support/http-server.ts'
import { Problem } from '../../core/problem.ts'
import { etagOf, requireIfMatch, sendWithEtag } from './caching.ts'

function cachedServer() {
  const { server } = testServer()
  const made = { bodies: 0, parts: ['revision 1', 'caller'] }
  server.get('/x', async (request, reply) =>
    sendWithEtag(request, reply, etagOf(made.parts), () => {
      made.bodies += 1
      return { long: 'abc '.repeat(1000) }
    }),
  )
  const ask = (headers: Record<string, string> = {}) => server.inject({ url: '/x', headers })
  return { ask, made }
}

test('a response has an ETag, is private, must be revalidated, and varies', async () => {
  const { ask } = cachedServer()
  const { headers, statusCode } = await ask()
  assert.equal(statusCode, 200)
  assert.match(String(headers.etag), /^W\/"[\w-]{27}"$/)
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'Authorization, Accept, Accept-Encoding')
})

test('a caller with the current version gets 304, and no body is made', async () => {
  const { ask, made } = cachedServer()
  const etag = String((await ask()).headers.etag)
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, ` "a,b",${etag.slice(2)} `, '*']) {
    const answer = await ask({ 'if-none-match': known })
    assert.equal(answer.statusCode, 304, known)
    assert.equal(answer.body, '')
    assert.equal(answer.headers.etag, etag)
    assert.equal(answer.headers['cache-control'], 'private, no-cache')
    assert.equal(answer.headers.vary, 'Authorization, Accept, Accept-Encoding')
  }
  assert.equal(made.bodies, 1)
})

test('a caller with another version gets the body', async () => {
  const { ask, made } = cachedServer()
  const etag = String((await ask()).headers.etag)
  assert.equal((await ask({ 'if-none-match': '"other"' })).statusCode, 200)
  assert.equal((await ask({ 'if-none-match': etag.replaceAll('"', '') })).statusCode, 200)
  made.parts = ['revision 2', 'caller']
  assert.equal((await ask({ 'if-none-match': etag })).statusCode, 200)
})

test('compression does not change the ETag', async () => {
  const { ask } = cachedServer()
  const plain = await ask()
  const compressed = await ask({ 'accept-encoding': 'br' })
  assert.equal(compressed.headers['content-encoding'], 'br')
  assert.equal(compressed.headers.etag, plain.headers.etag)
  assert.equal((await ask({ 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers.etag) })).statusCode, 304)
})

test('an ETag distinguishes its parts', () => {
  assert.notEqual(etagOf(['ab', 'c']), etagOf(['a', 'bc']))
  assert.notEqual(etagOf(['a,b']), etagOf(['a', 'b']))
  assert.equal(etagOf(['a', 'b']), etagOf(['a', 'b']))
})

test('a change to an old version fails with 412; without If-Match, or with *, it does not', () => {
  const etag = etagOf(['1'])
  for (const fine of [undefined, '*', etag, etag.slice(2), `"x", ${etag}`]) requireIfMatch(fine, etag)
  for (const stale of [etagOf(['2']), '', 'nonsense'])
    assert.throws(
      () => requireIfMatch(stale, etag),
      (error) => error instanceof Problem && error.status === 412,
      stale,
    )
})
