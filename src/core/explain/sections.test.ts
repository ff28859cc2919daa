import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sections } from './sections.ts'

test('every section is a heading of the specification', () => {
  const text = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8')
  const headings = [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? (.+)$/gm)]
  const anchors = headings.map(([line, number]) => {
    const words = line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
    return [`§${number}`, words.replaceAll(' ', '-')] as const
  })
  const known = new Map<string, string>(anchors)
  for (const [section, anchor] of Object.entries(sections)) assert.equal(anchor, known.get(section), section)
})
