import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from './filter.ts'

const target = '/ref/v1/Instruments?Keywords=x'
const entry = { id: 'b', status: 404, app: 'one', target }

test('an entry passes the filters that it fulfils', () => {
  const passing = [
    {},
    { status: '404' },
    { status: '4xx' },
    { status: '4XX' },
    { appKey: 'one' },
    { path: 'instr' },
    { since: 'a' },
  ]
  for (const filter of passing) assert.equal(matches(entry, filter), true, JSON.stringify(filter))
  const failing = [{ status: '400' }, { status: '5xx' }, { appKey: 'two' }, { path: 'details' }, { since: 'b' }]
  for (const filter of failing) assert.equal(matches(entry, filter), false, JSON.stringify(filter))
})

test('without the console there are neither its pages nor its calls', () => {
  const shown = (path: string, app?: string) => matches({ ...entry, app, target: path }, { withoutConsole: 'console' })
  assert.deepEqual(
    ['/', '/?a=1', '/console', '/console/apps', '/Console?x', '/consoles', '/authorize'].map((path) => shown(path)),
    [false, false, false, false, false, true, true],
  )
  assert.deepEqual([shown(target, 'console'), shown(target, 'one')], [false, true])
})
