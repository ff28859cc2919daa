import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HeaderTemplates } from './header-templates.ts'

test('headers are read as they were written, however much they differ from earlier ones', () => {
  const templates = new HeaderTemplates()
  const names = fc.constantFrom('a', 'b', 'c', 'x-correlation')
  const values = fc.constantFrom('1', '2', 'long value')
  const pair = fc.tuple(names, values).map(([name, value]) => [name, name === 'x-correlation' ? 'an id' : value])
  const pairs = fc.array(pair, { maxLength: 15 })
  const responses = fc.array(fc.record({ route: fc.integer({ min: 0, max: 3 }), pairs }), { maxLength: 50 })
  fc.assert(
    fc.property(responses, (sent) => {
      const written = sent.map(({ route, pairs: each }) => {
        const texts: string[] = []
        const number = templates.write(route, each.flat(), texts)
        return { number, texts }
      })
      assert.deepEqual(
        written.map(({ number, texts }) => templates.read(number, texts, () => 'an id')),
        sent.map(({ pairs: each }) => each.flat()),
      )
    }),
  )
})

test('headers that differ in few values take few texts, also if responses alternate', () => {
  const templates = new HeaderTemplates()
  const headers = Array.from({ length: 24 }, (_, at) => `header or value ${at}`)
  const write = (sent: readonly string[]) => {
    const texts = ['before']
    return [templates.write(1, sent, texts), ...texts]
  }
  assert.deepEqual(write(headers), [0, 'before'])
  assert.deepEqual(write(headers.slice(2)), [1, 'before'])
  assert.deepEqual(write(headers.with(3, '118')), [0, 'before', '3', '118'])
})
