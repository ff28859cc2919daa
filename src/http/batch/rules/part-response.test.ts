import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchEnd, partHead } from './part-response.ts'

test('writes a response without the headers of the connection', () => {
  const headers = {
    'X-Request-Id': '3',
    'Set-Cookie': ['a=1', 'b=2'],
    'Content-Length': 9,
    Date: 'today',
  }
  const lines = [
    '--b',
    'Content-Type: application/http; msgtype=response',
    '',
    'HTTP/1.1 200 OK',
    'X-Request-Id: 3',
    'Set-Cookie: a=1',
    'Set-Cookie: b=2',
  ]
  const answer = { status: 200, reason: 'OK', headers }
  assert.equal(partHead('b', answer, 4), [...lines, 'Content-Length: 4', '', ''].join('\r\n'))
  assert.equal(partHead('b', answer, 0), [...lines, '', ''].join('\r\n'))
  assert.equal(batchEnd('b'), '--b--\r\n')
})
