import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScenario } from './text.ts'

const head = { kind: 'scenario', Name: 'a-1', Title: 'T', Shows: 'S.', View: 'V.', LookAt: 'L.' }
const text = (...lines: (object | string)[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

test('a scenario begins with its title and sentences, and keeps the lines of its records', () => {
  assert.deepEqual(readScenario(`\uFEFF${text('', head, '', '{"kind":"event"}', ' ')}`), {
    head,
    lines: [{ line: 4, text: '{"kind":"event"}' }],
  })
})

test('rejects a text that does not begin with a scenario line', () => {
  for (const other of ['', 'no JSON', 'null', '[]', '{"kind":"event"}', '{}']) {
    const read = readScenario(text('', other))
    assert.ok('errors' in read)
    assert.match(read.errors[0]?.reason ?? '', /^The first line must be/)
    assert.equal(read.errors[0]?.line, other === '' ? 1 : 2)
  }
})

test('names every bad member of the first line', () => {
  const { View: _, ...rest } = head
  const read = readScenario(text({ ...rest, Name: 'A b', Other: 1 }))
  assert.ok('errors' in read)
  assert.deepEqual(
    read.errors.map(({ line, kind, field }) => [line, kind, field]),
    [
      [1, 'scenario', 'View'],
      [1, 'scenario', 'Other'],
      [1, 'scenario', 'Name'],
    ],
  )
  assert.match(read.errors.at(-1)?.reason ?? '', /lower-case letters, digits and hyphens/)
})
