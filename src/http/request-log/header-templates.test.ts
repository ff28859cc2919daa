import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HeaderTemplates } from './header-templates.ts'

test('headers are read as they were written, however much they differ from earlier ones', () => {
  const templates = new HeaderTemplates()
  const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', 'long value')), {
    maxLength: 15,
  })
  const responses = fc.array(fc.record({ route: fc.integer({ min: 1, max: 3 }), pairs }), { maxLength: 50 })
  fc.assert(
    fc.property(responses, (sent) => {
      const written = sent.map(({ route, pairs: each }) => templates.write(route, each.flat()))
      assert.deepEqual(
        written.map((text) => templates.read(text)),
        sent.map(({ pairs: each }) => each.flat()),
      )
    }),
  )
})

test('headers that differ in few values take few characters', () => {
  const templates = new HeaderTemplates()
  const headers = Array.from({ length: 24 }, (_, at) => `header or value ${at}`)
  templates.write(1, headers)
  assert.ok(templates.write(1, headers.with(3, '118')).length < 20)
})
