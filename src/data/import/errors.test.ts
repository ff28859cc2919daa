import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ErrorList, LineNumbers } from './errors.ts'

test('an error shows only the beginning of a long key or field name', () => {
  const lines = new LineNumbers()
  lines.open('a.ndjson')
  const errors = new ErrorList(lines)

  errors.add({ line: lines.next(), kind: 'event', key: 'K'.repeat(40_000), field: 'F'.repeat(201), reason: 'Is bad.' })

  const [key, field] = [`${'K'.repeat(200)}…`, `${'F'.repeat(200)}…`]
  assert.deepEqual(errors.sentences(), [`a.ndjson:1 event ${key}, field ${field}: Is bad.`])
})
