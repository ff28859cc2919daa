import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importTexts } from '../support/import.ts'
import { noteSecret } from '../support/log-check.ts'
import { testDatabase } from '../support/postgres.ts'

const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8')

test('the records that docs/data.md shows are imported as they stand there', async (t) => {
  const database = await testDatabase()
  t.after(() => database.drop())
  const examples = page.split('\n').filter((line) => line.startsWith('{"kind"'))
  noteSecret('password', 'a long password')
  const { counts, faults } = await importTexts(database.connection, { 'examples.ndjson': examples.join('\n') })
  assert.deepEqual(faults, [])
  const kinds = ['exchange', 'instrument', 'optionRoot', 'client', 'account', 'user', 'accessRight', 'app']
  assert.deepEqual(
    Object.entries(counts).map(([kind, count]) => [kind, count.added]),
    kinds.map((kind) => [kind, kind === 'instrument' ? 3 : 1]),
  )
})
