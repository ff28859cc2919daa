import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showRequestHeaders } from './request-log.ts'

test('all headers of a request together are shown up to 16 KB', () => {
  const long = 'a b '.repeat(5_000)
  const shown = { parameters: new Set<string>(), members: new Set<string>() }

  const texts = showRequestHeaders({ accept: `?a=1${long}`, origin: long, 'user-agent': long }, shown)

  assert.ok(texts.join('').length < 17_000, `${texts.join('').length} characters`)
})
