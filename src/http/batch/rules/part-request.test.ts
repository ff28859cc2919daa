import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../../core/problem.ts'
import { forwardedFields, parsePart, requestIdIn } from './part-request.ts'

const http = 'Content-Type: application/http; msgtype=request'
const read = (part: string) => {
  const { method, target, fields, body } = parsePart(part, 1_000)
  return [method, target, { ...fields }, body]
}

test('parses a request with its headers and its body', () => {
  const posted = `${http}\r\n\r\nPOST /a?b=c HTTP/1.1\r\nX-Request-Id:7\r\nA:  b c \r\nEmpty:\r\na: d\r\n\r\n{"a":\r\n\r\n1}`
  const fields = { 'x-request-id': ['7'], a: ['b c', 'd'], empty: [''] }
  assert.deepEqual(read(posted), ['POST', '/a?b=c', fields, '{"a":\r\n\r\n1}'])
})

test('accepts harmless deviations from the standard', () => {
  const wanted = ['GET', '/a', {}, '']
  const parts = [
    `${http}\r\n\r\nGET /a HTTP/1.1\r\n\r\n`,
    `${http}\n\nget  /a\tHTTP/2 \n\n`,
    `${http}\r\n\r\n\r\n\r\nGET /a HTTP/1.0\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1`,
    '\r\nGET /a HTTP/1.1\r\n\r\n\r\n \r\n',
    'content-type:Application/HTTP;msgtype="Request";x=y\r\n\r\nGET /a HTTP/1.1\r\n\r\n',
    'Content-ID: <1>\r\nContent-Transfer-Encoding: BINARY\r\n\r\nGET /a HTTP/1.1\r\n\r\n',
  ]
  for (const part of parts) assert.deepEqual(read(part), wanted, part)
})

test('explains why a part is not a valid request', () => {
  const get = 'GET /a HTTP/1.1\r\n\r\n'
  const parts = [
    '',
    get,
    `${http}\r\n${get}`,
    `Content-Type: text/plain\r\n\r\n${get}`,
    `Content-Type: application/http; msgtype=response\r\n\r\n${get}`,
    `Content-Transfer-Encoding: base64\r\n\r\n${get}`,
    `${http}\r\n\r\nGET /a\r\n\r\n`,
    `${http}\r\n\r\nGET /a b HTTP/1.1\r\n\r\n`,
    `${http}\r\n\r\nGET /\xFC HTTP/1.1\r\n\r\n`,
    `${http}\r\n\r\nGET /\0 HTTP/1.1\r\n\r\n`,
    `${http}\r\n\r\nOPTIONS /a HTTP/1.1\r\n\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1\r\nno field\r\n\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1\r\nA : b\r\n\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1\r\nA: b\r\n folded\r\n\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1\r\nA: b\0c\r\n\r\n`,
    `${http}\r\n\r\nGET /a HTTP/1.1\r\nA: b\rc: d\r\n\r\n`,
  ]
  for (const part of parts)
    assert.throws(() => read(part), { code: 'InvalidRequest', message: /^(This|The) .+\.$/ }, part)
  const long = `${http}\r\n\r\nGET /a HTTP/1.1\r\nA: ${'b'.repeat(1_000)}\r\n\r\n`
  assert.throws(() => read(long), { code: 'HeadersTooLarge' })
})

test('any part is either parsed or rejected', () => {
  const pieces = fc.constantFrom(
    http,
    'GET /a HTTP/1.1',
    'A: b',
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '\0',
    ': ',
    '__proto__:x',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (chosen) => {
      try {
        assert.equal(typeof parsePart(chosen.join(''), 1_000).target, 'string')
      } catch (error) {
        assert.ok(error instanceof Problem, String(error))
      }
    }),
  )
})

test('finds the request ID of a rejected part', () => {
  assert.equal(requestIdIn(`${http}\r\n\r\nnonsense\r\nx-request-ID:  12 \r\n\r\n`), '12')
  assert.equal(requestIdIn(`${http}\r\nX-Request-Id: 12\r\n\r\n`), '12')
  const none = [
    '',
    `${http}\r\n\r\nGET /a HTTP/1.1\r\n\r\nX-Request-Id: 12`,
    `${http}\r\n\r\nX-Request-Id: 1 2\r\n\r\n`,
  ]
  for (const part of none) assert.equal(requestIdIn(part), undefined, part)
})

test('a part cannot set headers of the connection', () => {
  const own = { accept: ['text/csv'], authorization: ['Bearer x'], 'x-request-id': ['1'] }
  const others =
    'host content-length accept-encoding forwarded x-forwarded-for x-forwarded-host via x-real-ip transfer-encoding te'
  const fields = Object.fromEntries(others.split(' ').map((name) => [name, ['x']]))
  assert.deepEqual(forwardedFields({ ...own, ...fields }), own)
  assert.deepEqual(forwardedFields({ ...own, connection: ['close, Accept', 'x-request-id'] }), {
    authorization: ['Bearer x'],
  })
})
