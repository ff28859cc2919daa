import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  databaseForFile,
  exchange,
  exportText,
  importGenerated,
  importTexts,
  instrument,
  lines,
  optionRoot,
} from '../support/service/import.ts'

const { connection, db } = await databaseForFile()
const load = (...records: object[]) => importTexts(connection, { 'f.ndjson': lines(...records) })

async function state() {
  const [data] = await db.selectFrom('reference_data').select('revision').execute()
  const rows = await db.selectFrom('instrument').select(['uic', 'revision']).orderBy('uic').execute()
  const gone = await db.selectFrom('reference_deletion').selectAll().orderBy('key').execute()
  const announced = await db.selectFrom('change').select('key').where('topic', '=', 'reference-data').execute()
  return {
    revision: data?.revision,
    rows: rows.map(({ uic, revision }) => [uic, revision]),
    gone: gone.map(({ kind, key, revision }) => [kind, key, revision]),
    announced: announced.map(({ key }) => key),
  }
}

test('only changed rows get the next revision, which is announced once', async () => {
  await load(optionRoot(1, [100]), instrument(1), instrument(2), exchange)
  assert.deepEqual(await state(), {
    revision: 1,
    rows: [
      [1, 1],
      [2, 1],
    ],
    gone: [],
    announced: ['1'],
  })
  const { counts } = await load(instrument(1), instrument(2, { Rank: 3 }), instrument(3))
  assert.deepEqual(counts, { instrument: { added: 1, changed: 1, unchanged: 1 } })
  assert.deepEqual(await state(), {
    revision: 2,
    rows: [
      [1, 1],
      [2, 2],
      [3, 2],
    ],
    gone: [],
    announced: ['1', '2'],
  })
})

test('an import that changes nothing neither raises nor announces a revision', async () => {
  const before = await state()
  const { counts, notes } = await load(instrument(3), exchange, { kind: 'instrument', Uic: 99, delete: true })
  assert.deepEqual(counts, { exchange: { unchanged: 1 }, instrument: { unchanged: 1 } })
  assert.deepEqual(notes, ['The reference data has revision 2.', '1 record to delete was not found: instrument 99.'])
  const dry = await importTexts(connection, { 'f.ndjson': lines(instrument(98)) }, { isDryRun: true })
  assert.deepEqual([dry.counts, dry.notes], [{ instrument: { added: 1 } }, []])
  assert.deepEqual(await state(), before)
})

test('deletions are recorded for catalogues until the record is back', async () => {
  assert.deepEqual((await load({ ...instrument(3), delete: true })).counts, { instrument: { removed: 1 } })
  assert.deepEqual((await state()).gone, [['instrument', '3', 3]])
  await load(instrument(3))
  assert.deepEqual(await state(), {
    revision: 4,
    rows: [
      [1, 1],
      [2, 2],
      [3, 4],
    ],
    gone: [],
    announced: ['1', '2', '3', '4'],
  })
})

test('one run can delete an exchange with its instruments, and move a Uic from one record to another', async () => {
  const gone = [instrument(2), { ...exchange, kind: 'exchange' }].map((record) => ({ ...record, delete: true }))
  assert.equal((await load(...gone)).errors.length, 1)
  const swap = await load({ ...instrument(2), delete: true }, optionRoot(1, [2]), instrument(100))
  assert.deepEqual(swap.counts, { instrument: { added: 1, removed: 1 }, optionRoot: { changed: 1 } })
  const all = (await exportText(connection))
    .trimEnd()
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), delete: true }))
  assert.deepEqual((await load(...all)).counts, {
    exchange: { removed: 1 },
    instrument: { removed: 3 },
    optionRoot: { removed: 1 },
  })
  assert.equal(await exportText(connection), '')
})

test('the columns next to the document are those of the main asset type', async () => {
  const As = [
    { AssetType: 'CfdOnStock', Symbol: 'CFD' },
    { AssetType: 'Stock', ExchangeId: 'PAR' },
  ]
  const Identifiers = [
    { Type: 'CUSP', Value: '037833100' },
    { Type: 'Our own', Value: 'A' },
  ]
  const named = instrument(1, { As, Isin: 'US0378331005', Identifiers })
  await load(exchange, { ...exchange, ExchangeId: 'PAR' }, named)
  const { document: _, revision: __, ...row } = await db.selectFrom('instrument').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(row, {
    uic: 1,
    asset_types: ['CfdOnStock', 'Stock'],
    exchange_ids: ['LSE', 'PAR'],
    symbol: 'CFD',
    description: 'Instrument 1',
    isin: 'US0378331005',
    identifiers: ['CUSIP 037833100', 'OUROWN A'],
    continuous_uic: null,
    calendar_id: null,
  })
})

test('imports instruments from CSV together with other files', async () => {
  const csv = 'Uic,ExchangeId,Symbol,Description,CurrencyCode,AssetType,Rank\n8,NEW,X,"A, B",EUR,Etf;CfdOnEtf,2\n'
  const texts = { 'a.csv': csv, 'b.ndjson': lines({ ...exchange, ExchangeId: 'NEW' }) }
  assert.deepEqual((await importTexts(connection, texts)).counts, { exchange: { added: 1 }, instrument: { added: 1 } })
  assert.match(
    await exportText(connection, ['instrument']),
    /"Uic":8,.*"As":\[\{"AssetType":"Etf"\},\{"AssetType":"CfdOnEtf"\}\]/,
  )
  const { errors } = await importTexts(connection, { 'a.csv': 'Uic,Colour\n1,red\n' })
  assert.match(errors.join('\n'), /^a\.csv:1 field Colour: Is not a column\. Use Uic, Isin, /)
  const misspelled = await importTexts(connection, { 'a.csv': 'Uic,Symbl\n1,X\n' })
  assert.match(misspelled.errors.join('\n'), /^a\.csv:1 field Symbl: Is not a column\. Did you mean Symbol\?$/m)
})

test('imports generated records within a transaction, and rejects invalid ones', async () => {
  const records = [exchange, instrument(20), optionRoot(20, [200])]
  const importOwn = (...own: { kind: string }[]) => db.transaction().execute((trx) => importGenerated(trx, own))
  const revision = async () =>
    (await db.selectFrom('reference_data').select('revision').executeTakeFirstOrThrow()).revision
  const counts = (await importOwn(...records)).slice(1, 4)
  assert.deepEqual(
    counts.map(({ added, unchanged }) => [added, unchanged]),
    [
      [0, 1],
      [1, 0],
      [1, 0],
    ],
  )
  const before = await revision()
  await importOwn(...records)
  assert.equal(await revision(), before)
  assert.deepEqual((await load(...records)).counts.instrument, { unchanged: 1 })
  const wrong = { ...instrument(21), As: [{ AssetType: 'StockOption' }] }
  await assert.rejects(importOwn(wrong), /Record 1 \(instrument\), field As\[0\]\.AssetType/)
  const alone = instrument(22, { ExchangeId: 'NO' })
  await assert.rejects(importOwn(alone), /Record 1 \(instrument 22\), field ExchangeId: There is no exchange NO\./)
})

test('an import waits only for changes of the kinds that it has', async () => {
  await load(exchange)

  const { errors, counts } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('event_data').select('revision').forUpdate().execute()
    return load({ ...exchange, Name: 'Renamed' })
  })

  assert.deepEqual({ errors, counts }, { errors: [], counts: { exchange: { changed: 1 } } })
})
