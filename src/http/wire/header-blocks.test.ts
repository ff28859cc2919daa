import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts'

const blockOf = (text: string): HeaderBlock => ({ text, headers: {}, rawHeaders: [] })

test('finds only what was kept with exactly the same text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ':'), maxLength: 80 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), text, (texts, asked) => {
      const blocks = new HeaderBlocks()
      const kept = new Map(texts.map((each) => [each, blockOf(each)]))
      for (const block of kept.values()) {
        blocks.keep(block)
        assert.equal(blocks.find(block.text), block)
      }
      const found = blocks.find(asked)
      assert.ok(found === undefined || found === kept.get(asked))
    }),
  )
})

test('what is read for the second time is admitted, unless it is long', () => {
  const blocks = new HeaderBlocks()
  const [usual, long] = ['Host: a', `Host: ${'a'.repeat(2_048)}`]
  assert.deepEqual([blocks.admits(usual), blocks.admits(usual)], [false, true])
  assert.deepEqual([blocks.admits(long), blocks.admits(long)], [false, false])
})

test('most callers find their headers again, although only the signatures of their tokens differ', () => {
  const blocks = new HeaderBlocks()
  const textOf = (caller: number) => {
    const signature = createHash('sha256').update(`${caller}`).digest('base64url')
    return `Host: localhost\r\nAuthorization: Bearer ${'e'.repeat(300)}.${signature}\r\nAccept: application/json`
  }
  const callers = Array.from({ length: 200 }, (_, caller) => textOf(caller))
  for (let round = 0; round < 3; round++)
    for (const text of callers) if (!blocks.find(text) && blocks.admits(text)) blocks.keep(blockOf(text))
  const found = callers.filter((text) => blocks.find(text)?.text === text)
  assert.ok(found.length >= 160, `${found.length} of 200`)
})
