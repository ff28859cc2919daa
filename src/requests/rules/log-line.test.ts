import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LineStyle, logLine } from './line.ts'

const plain = { width: undefined, hasColours: false }
const time = '2026-11-16T12:00:00.123Z'
const line = (fields: object, style: LineStyle = plain) => logLine(`${JSON.stringify(fields)}\n`, style)

test('a request is the line that refdesk log prints', () => {
  const answered = {
    level: 30,
    time,
    reqId: 'r1',
    method: 'GET',
    route: '/a/:id',
    status: 200,
    ms: 1.3,
    msg: 'answered',
  }
  assert.equal(line(answered), '12:00:00.123 200 GET        1.3 ms -          -        /a/:id')
  assert.match(line({ ...answered, path: '/a/7?b=c' }), / \/a\/7\?b=c$/)
  const named = { ...answered, app: 'key1', appName: 'Demo', user: 'key2', userName: 'ada' }
  assert.match(line(named), / ms Demo +ada +\/a/)
  const failed = {
    ...answered,
    route: undefined,
    status: 404,
    app: 'app1',
    user: 'user1',
    fault: 'slow',
    reason: 'No.',
  }
  assert.equal(line(failed), '12:00:00.123 404 GET        1.3 ms app1       user1    -  injected slow: No.')
})

test('any other line has its level, message and fields', () => {
  const message = { level: 40, time, msg: 'a warning', count: 2, name: 'plain', text: 'two words', list: ['a'] }
  assert.equal(line(message), '12:00:00.123 warn  a warning  count=2 name=plain text="two words" list=["a"]')
  assert.equal(line({ level: 35, time }), '12:00:00.123 35    ')
  assert.equal(line({ level: 30, time, msg: 'answered' }), '12:00:00.123 info  answered')
})

test('an error is one line: what, where, and its cause', () => {
  const cause = { message: 'closed', code: 'ECONNRESET' }
  const err = { type: 'TypeError', message: 'failed', stack: 'TypeError: failed\n    at f (a.ts:1:2)\n    at g', cause }
  assert.equal(
    line({ level: 50, time, err, msg: 'unexpected error' }),
    '12:00:00.123 error unexpected error  TypeError: failed (at f (a.ts:1:2)), caused by Error: closed (ECONNRESET)',
  )
  assert.equal(line({ level: 50, time, err: { message: 'm' } }), '12:00:00.123 error Error: m')
  for (const err of ['text', null]) assert.equal(line({ level: 60, time, err }), `12:00:00.123 fatal ${err}`)
})

test('levels have colours, and a terminal obeys nothing that a line contains', () => {
  const shown = line({ level: 50, time, msg: 'a\u001b[2J\nb' }, { width: undefined, hasColours: true })
  assert.equal(shown, '\u001b[2m12:00:00.123\u001b[0m \u001b[31merror\u001b[0m a\uFFFD[2J\uFFFDb')
})
