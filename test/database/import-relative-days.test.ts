import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  databaseForFile,
  event,
  exchange,
  exportText,
  importTexts,
  instrument,
  lines,
} from '../support/service/import.ts'

const { connection } = await databaseForFile()
const today = '2026-12-23'

async function exported(kind: string): Promise<Record<string, unknown>[]> {
  const text = await exportText(connection, [kind])
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('imports relative days, counted by the holidays of the same run and of the database', async () => {
  const Holidays = [{ Date: '2026-12-25', Name: 'Christmas Day' }]
  const first = lines({ ...exchange, Holidays }, instrument(1), event('A', 1, { Ex: { Date: '@LSE+2b' } }))
  assert.deepEqual((await importTexts(connection, { 'a.ndjson': first }, { today })).errors, [])

  const UpdatedDateTime = '@LSE+2bT09:30Z'
  const second = lines(event('B', 1, { Ex: { Date: '@+2b' }, UpdatedDateTime }))
  assert.deepEqual((await importTexts(connection, { 'b.ndjson': second }, { today })).errors, [])

  const events = await exported('event')
  assert.deepEqual(
    events.map(({ EventId, Ex }) => [EventId, Ex]),
    [
      ['A', { Date: '2026-12-28' }],
      ['B', { Date: '2026-12-25' }],
    ],
  )
  assert.equal(events[1]?.UpdatedDateTime, '2026-12-28T09:30:00.000000Z')
})

test('names file, line and field of a relative day that cannot be resolved, and applies nothing', async () => {
  const text = lines(event('C', 1, { Ex: { Date: '@+1x' } }), event('D', 1, { Record: { Date: '@NYSE+1b' } }))
  const { errors } = await importTexts(connection, { 'c.ndjson': text }, { today })
  assert.match(errors[0] ?? '', /^c\.ndjson:1 field Ex\.Date: Must be a date or a relative day: @\+12 /)
  assert.match(errors[1] ?? '', /^c\.ndjson:2 field Record\.Date: There is no exchange NYSE\. /)
  assert.equal((await exported('event')).length, 2)
})

test('imports instruments that share terms, from NDJSON and CSV', async () => {
  const terms = { kind: 'terms', Name: 'pounds', CurrencyCode: 'GBP', ExchangeId: 'LSE', As: [{ AssetType: 'Stock' }] }
  const csv = 'Uic,Symbol,Description,Terms\n3,THREE:xlon,Three,pounds\n'
  const own = { kind: 'instrument', Uic: 2, Symbol: 'TWO:xlon', Description: 'Two', Terms: ['pounds'] }
  const { errors, counts } = await importTexts(connection, { 'a.ndjson': lines(terms, own), 'b.csv': csv })
  assert.deepEqual(errors, [])
  assert.deepEqual(counts, { instrument: { added: 2 } })
  const instruments = await exported('instrument')
  assert.deepEqual(instruments[2], {
    kind: 'instrument',
    Uic: 3,
    Symbol: 'THREE:xlon',
    Description: 'Three',
    CurrencyCode: 'GBP',
    ExchangeId: 'LSE',
    As: [{ AssetType: 'Stock' }],
  })
})

test('imports the files of demo/ unchanged, templates aside', async () => {
  const { connection: empty } = await databaseForFile()
  const folder = join(import.meta.dirname, '../../demo')
  const names = await Array.fromAsync(glob(['*.{csv,ndjson}', 'events/*.ndjson'], { cwd: folder }))
  // Terms and exchanges must come before the records that use them.
  const first = (name: string) => ['exchanges.ndjson', 'terms.ndjson'].includes(name)
  const ordered = [...names.filter(first), ...names.filter((name) => !first(name))]
  const texts = await Promise.all(ordered.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]))
  const { errors, counts } = await importTexts(empty, Object.fromEntries(texts), { today })
  assert.deepEqual(errors, [])
  assert.ok((counts.instrument?.added ?? 0) > 1_000)
  assert.ok((counts.event?.added ?? 0) > 100)
  assert.equal(counts.app?.added, 3)
})
