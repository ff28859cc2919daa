import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts'

const blockOf = (text: string, headers = 1): HeaderBlock => ({
  text,
  headers: {},
  rawHeaders: Array.from({ length: 2 * headers }, () => ''),
})

test('finds only what was kept with exactly the same text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ':'), maxLength: 80 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), text, (texts, asked) => {
      const blocks = new HeaderBlocks()
      const kept = new Map(texts.map((each) => [each, blockOf(each)]))
      for (const block of kept.values()) blocks.keep(block)
      const found = blocks.find(asked)
      assert.ok(found === undefined || found === kept.get(asked))
      const last = [...kept.values()].at(-1)
      assert.equal(blocks.find(last?.text ?? 'none'), last)
    }),
  )
})

test('most callers find their headers again, although only the signatures of their tokens differ', () => {
  const blocks = new HeaderBlocks()
  const lines = (caller: number) => {
    const signature = createHash('sha256').update(`${caller}`).digest('base64url')
    return `Host: localhost\r\nAuthorization: Bearer ${'e'.repeat(300)}.${signature}\r\nAccept: application/json\r\nConnection: keep-alive`
  }
  const callers = Array.from({ length: 40 }, (_, caller) => blockOf(lines(caller)))
  for (const block of callers) blocks.keep(block)
  assert.ok(callers.filter((block) => blocks.find(block.text) === block).length >= 30)
})

test('long texts and many headers are not kept', () => {
  const blocks = new HeaderBlocks()
  const [long, many] = [blockOf('a'.repeat(2_049)), blockOf('a', 21)]
  for (const block of [long, many]) {
    blocks.keep(block)
    assert.equal(blocks.find(block.text), undefined)
  }
})
