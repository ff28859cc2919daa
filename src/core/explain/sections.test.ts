import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sections } from './sections.ts'

test('every section is a heading of the specification', () => {
  const text = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8')
  const known = new Set([...text.matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => `§${number}`))
  assert.deepEqual(
    sections.filter((section) => !known.has(section)),
    [],
  )
})
