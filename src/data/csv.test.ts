import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instrumentKind } from '../instruments/import.ts'
import { type CsvRow, readCsv } from './csv.ts'

async function read(text: string): Promise<CsvRow[]> {
  async function* bytes() {
    yield Buffer.from(text)
  }
  const rows: CsvRow[] = []
  for await (const batch of readCsv(bytes(), instrumentKind)) rows.push(...batch)
  return rows
}

test('a row is a record: texts, numbers, true and false; an empty cell says nothing', async () => {
  const text =
    '\ufeffUic,Symbol,Description,AssetType,IsComplex,TickSize,Isin\r\n1,A,"A ""big"", one",Stock;CfdOnStock,TRUE,1e-2,\r\n\r\n'
  const value = {
    kind: 'instrument',
    Uic: 1,
    Symbol: 'A',
    Description: 'A "big", one',
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
    IsComplex: true,
    TickSize: 0.01,
  }
  assert.deepEqual(await read(text), [{ line: 2, value }])
})

test('a column that there is not, or twice, is a fault that names it', async () => {
  const faults = await read('Uic,Colour,Uic,Format\n1,red,2,x\n')
  assert.deepEqual(
    faults.map((row) => ('fault' in row ? [row.line, row.field] : [])),
    [
      [1, 'Colour'],
      [1, 'Format'],
      [1, 'Uic'],
    ],
  )
})

test('a row of another length is a fault; what is no CSV is another', async () => {
  const rows = await read('Uic,Symbol\n1\n2,B\n3,"C" D\n')
  assert.deepEqual(
    rows
      .toSorted((a, b) => a.line - b.line)
      .slice(0, 3)
      .map((row) => [row.line, 'fault' in row ? row.fault : 'good']),
    [
      [2, 'Has 1 cells where the header has 2.'],
      [3, 'good'],
      [4, 'Is not CSV: invalid closing quote.'],
    ],
  )
})

test('what is no number stays text, for the schema to refuse', async () => {
  const [row] = await read('Uic,IsComplex\nabc,maybe\n')
  assert.deepEqual(row, { line: 2, value: { kind: 'instrument', Uic: 'abc', IsComplex: 'maybe' } })
})
