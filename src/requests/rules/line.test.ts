import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestLine } from './line.ts'

const facts = { time: '2026-11-16T12:00:00.123000Z', status: 200, method: 'GET', path: '/a/b', milliseconds: 1.25 }
const plain = { width: undefined, hasColours: false }
const who = { app: '0123456789abcdef0123456789abcdef', user: 'YOjHpvTCTlWWcx|2vafgFA==' }

test('a request is one line with aligned columns', () => {
  assert.equal(requestLine(facts, plain), '12:00:00.123 200 GET        1.3 ms -          -        /a/b')
  const failed = { ...facts, ...who, status: 404, reason: 'Not found.', fault: 'Slow' }
  assert.equal(
    requestLine(failed, plain),
    '12:00:00.123 404 GET        1.3 ms 0123456789 YOjHpvTC /a/b  injected Slow: Not found.',
  )
  assert.match(requestLine({ ...facts, status: 0 }, plain), / --- GET/)
})

test('a terminal gets one line: the reason is cut first, then the middle of the path', () => {
  const long = {
    ...facts,
    path: `/start/${'x'.repeat(60)}/end`,
    reason: 'Because of this and that and something else.',
  }
  for (const width of [60, 80, 100, 120, 140]) {
    const line = requestLine(long, { width, hasColours: false })
    assert.ok(line.length <= Math.max(width, 79), `${width}: ${line.length}`)
    assert.match(line, /\/start\/.*\/end/)
  }
  assert.match(requestLine(long, { width: 140, hasColours: false }), /Because of.*…$/)
  assert.match(requestLine(long, { width: 80, hasColours: false }), /…/)
})

test('colours tell success from errors, and only if there are any', () => {
  const coloured = { width: undefined, hasColours: true }
  for (const [status, colour] of [
    [200, 32],
    [302, 36],
    [404, 33],
    [503, 31],
    [0, 31],
  ] as const)
    assert.ok(requestLine({ ...facts, status }, coloured).includes(`\u001b[${colour}m`), String(status))
})

test('a terminal obeys nothing that a caller sent', () => {
  const line = requestLine({ ...facts, path: '/\u001b[2J\n' }, plain)
  assert.ok(!line.includes('\u001b') && !line.includes('\n'))
})
