import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentedRecords } from '../support/database/documented-records.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { exportText, importTexts } from '../support/service/import.ts'
import { testDatabase } from '../support/service/postgres.ts'

const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8')

test('every record and message in docs/data.md can be imported', async (t) => {
  const database = await testDatabase()
  t.after(() => database.drop())
  noteSecret('password', 'a long password')
  const { counts, errors } = await importTexts(database.connection, { 'examples.ndjson': documentedRecords.join('\n') })
  assert.deepEqual(errors, [])
  const [fin = '', xml = ''] = ['text', 'xml'].map((kind) => page.split(`\`\`\`${kind}\n`)[1]?.split('\n```')[0])
  const messages = await importTexts(database.connection, { 'a.fin': fin, 'b.xml': xml })
  assert.deepEqual([messages.errors, messages.counts], [[], { event: { added: 4 } }])
  const exported = (await exportText(database.connection, ['event']))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const [reference, ex, paid] of [
    ['DIV2026Q4', '2026-11-09', '2026-11-13'],
    ['DIV2027Q1', '2027-02-08', '2027-02-12'],
  ]) {
    const event = exported.find(({ EventId }) => EventId === `${reference}-9001`)
    const [option] = event.Options
    assert.deepEqual([event.EventState, event.Ex.Date, option.Payment.Date], ['Confirmed', ex, paid])
    assert.equal(option.CashMovements[0].GrossDividend, 0.26)
  }
  const several: Record<string, number> = { instrument: 4, position: 2, event: 21 }
  const kinds = [
    'calendar',
    'exchange',
    'instrument',
    'optionRoot',
    'client',
    'account',
    'user',
    'accessRight',
    'position',
    'event',
    'app',
  ]
  assert.deepEqual(
    Object.entries(counts).map(([kind, count]) => [kind, count.added]),
    kinds.map((kind) => [kind, several[kind] ?? 1]),
  )
})

test('a file without a record is named in the summary, and is no error', async (t) => {
  const database = await testDatabase()
  t.after(() => database.drop())
  for (const [name, text] of [
    ['empty.ndjson', ''],
    ['lines.ndjson', '\n\r\n'],
    ['header.csv', 'Uic,Symbol\n'],
  ] as const) {
    const { errors, counts, notes } = await importTexts(database.connection, { [name]: text })
    assert.deepEqual([errors, counts, notes], [[], {}, [`${name} contains no record.`]])
  }
})
