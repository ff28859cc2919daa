import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocked, isOutage } from './outage.ts'

const failing = (code: string, message = ''): Error => Object.assign(new Error(message), { code })

test('a database that is down, full, overloaded or closing is an outage', () => {
  for (const code of [
    'ECONNREFUSED',
    'ENOENT',
    '08006',
    '53100',
    '53300',
    '40P01',
    '55000',
    '55P03',
    '57P01',
    '57P03',
    '58030',
    '3D000',
  ])
    assert.equal(isOutage(failing(code)), true, code)
  assert.equal(isOutage(new Error('Connection terminated unexpectedly')), true)
  assert.equal(isOutage(new Error('timeout exceeded when trying to connect')), true)
  assert.equal(isOutage(failing('0A000', 'cached plan must not change result type')), true)
  assert.equal(isOutage(new AggregateError([failing('ECONNREFUSED'), failing('ECONNREFUSED')])), true)
})

test('a bug is not', () => {
  for (const error of [failing('23505'), failing('42601'), new TypeError('x is undefined'), 'text', undefined])
    assert.equal(isOutage(error), false)
})

test('a lock that was not available and a deadlock are worth another attempt; other errors are not', () => {
  for (const code of ['55P03', '40P01']) assert.equal(isLocked(failing(code)), true, code)
  for (const error of [failing('55006'), failing('40001'), failing('23505'), new Error('55P03'), '40P01', undefined])
    assert.equal(isLocked(error), false)
})
