import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor } from './advice.ts'

test('the advice on a rejected request has the section of its status, or that of faults', () => {
  const sections = [400, 401, 403, 404, 409, 429, 503, 0].map((status) => adviceFor(status, undefined).section)
  assert.deepEqual(sections, ['§2.4', '§4.1', '§5.4', '§5.2', '§2.4', '§2.6', '§2.4', '§2.4'])
  assert.equal(adviceFor(503, 'error').section, '§11.3')
  assert.match(adviceFor(503, undefined).advice, /again/)
})
