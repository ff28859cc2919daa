import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCursor, isContinued, parseCursor } from './cursor.ts'

const cursor = { identity: '0123456789abcdef', seq: 40, check: 'cafe0123' }
const extent = { identity: cursor.identity, prunedSeq: 10, seq: 50 }

test('a cursor is read as it was written', () => {
  for (const each of [cursor, { ...cursor, seq: 0, check: '0' }, { ...cursor, within: 'instrument 211' }])
    assert.deepEqual(parseCursor(formatCursor(each)), each)
})

test('rejects what was never a cursor', () => {
  for (const text of ['', 'x', '0123456789abcdef', '0123456789abcdef.zzzzzzzzzzz.cafe0123', '0123456789abcdef.1.2.3.4'])
    assert.equal(parseCursor(text), undefined, text)
})

test('a cursor is continued within the history that it is from', () => {
  assert.equal(isContinued(cursor, extent, 'cafe0123'), true)
  assert.equal(isContinued({ ...cursor, identity: 'f'.repeat(16) }, extent, 'cafe0123'), false, 'another history')
  assert.equal(isContinued({ ...cursor, seq: 9 }, extent, 'cafe0123'), false, 'pruned')
  assert.equal(isContinued({ ...cursor, seq: 51 }, extent, 'cafe0123'), false, 'lost')
  assert.equal(isContinued(cursor, extent, 'cafe9999'), false, 'lost, and its number given again')
  assert.equal(isContinued({ ...cursor, seq: 10 }, extent, ''), true, 'nothing after it is pruned')
})
