import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instrumentKind } from '../../instruments/import/kinds.ts'
import { type CsvRow, readCsv } from './csv.ts'

async function read(...texts: (string | Buffer)[]): Promise<CsvRow[]> {
  async function* bytes() {
    for (const text of texts) yield Buffer.from(text)
  }
  const rows: CsvRow[] = []
  for await (const batch of readCsv(bytes(), instrumentKind)) rows.push(...batch)
  return rows
}

test('reads texts, numbers and booleans from a row, and skips empty cells', async () => {
  const text =
    '\ufeffUic,Symbol,Description,AssetType,IsComplex,TickSize,Isin,Aliases\r\n1,A,"A ""big"", one",Stock;CfdOnStock,TRUE,1e-2,,Big A; BIGA\r\n\r\n'
  const value = {
    kind: 'instrument',
    Uic: 1,
    Symbol: 'A',
    Description: 'A "big", one',
    As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }],
    IsComplex: true,
    TickSize: 0.01,
    Aliases: ['Big A', 'BIGA'],
  }
  assert.deepEqual(await read(text), [{ line: 2, value }])
})

test('reports unknown and repeated columns by name', async () => {
  const errors = await read('Uic,Colour,Uic,Format\n1,red,2,x\n')
  assert.deepEqual(
    errors.map((row) => ('error' in row ? [row.line, row.field] : [])),
    [
      [1, 'Colour'],
      [1, 'Format'],
      [1, 'Uic'],
    ],
  )
})

test('reports rows of another length, and malformed CSV', async () => {
  const rows = await read('Uic,Symbol\n1\n2,B\n3,"C" D\n')
  assert.deepEqual(
    rows
      .toSorted((a, b) => a.line - b.line)
      .slice(0, 3)
      .map((row) => [row.line, 'error' in row ? row.error : 'good']),
    [
      [2, 'Has 1 cells where the header has 2.'],
      [3, 'good'],
      [4, 'A closing quote must be followed by a comma or the end of the line; double a quote inside a cell.'],
    ],
  )
  const errors = await read('Uic,Symbol\n1,B"C\n2,"D\n')
  assert.deepEqual(
    errors.map((row) => ('error' in row ? row.error : '')),
    [
      'A cell that contains a quote must be quoted; double the inner quote.',
      'A quote is not closed before the end of the file.',
    ],
  )
})

test('accepts mixed line endings, counts lines correctly and trims cells', async () => {
  const rows = await read('Uic,Symbol\r\n1,A\n2 , " B "\r\n\r\n3,"C\r\nD"\r4,E\r', '\n5,F')
  const good = rows.map((row) => ('value' in row ? [row.line, ...Object.values(row.value ?? {})] : row))
  assert.deepEqual(good, [
    [2, 'instrument', 1, 'A'],
    [3, 'instrument', 2, 'B'],
    [5, 'instrument', 3, 'C\nD'],
    [7, 'instrument', 4, 'E'],
    [8, 'instrument', 5, 'F'],
  ])
})

test('reports a line that is not UTF-8 and reads the others, unless it is the header', async () => {
  const bad = Buffer.from('2,Z\xfcrich\n', 'latin1')
  const rows = await read('Uic,Symbol\n1,A\n', bad, '3,C\n')
  const lines = rows.map((row) => [row.line, 'error' in row ? row.error : 'good']).toSorted()
  assert.deepEqual(lines, [
    [2, 'good'],
    [3, 'Is not UTF-8.'],
    [4, 'good'],
  ])
  assert.deepEqual(await read(bad, '3,C\n'), [{ line: 1, error: 'Is not UTF-8.' }])
})

test('keeps a cell that is not a number as text, for the schema to reject', async () => {
  const [row] = await read('Uic,IsComplex\nabc,maybe\n')
  assert.deepEqual(row, { line: 2, value: { kind: 'instrument', Uic: 'abc', IsComplex: 'maybe' } })
})

const cells = (count: number) => `C${',C'.repeat(count - 1)}`
const errorsOf = async (text: string) => (await read(text)).map((row) => ('error' in row ? [row.line, row.error] : row))

test('refuses a header with too many columns or characters in one sentence, before parsing it', async () => {
  for (const count of [201, 3_000_000])
    assert.deepEqual(await errorsOf(`\n${cells(count)}\n1,2\n`), [
      [2, `The header has ${count} columns. It may have at most 200.`],
    ])
  assert.deepEqual(await errorsOf(`Uic,${'x'.repeat(10_000)}\n1,2\n`), [
    [1, 'The header is longer than 10,000 characters.'],
  ])
  assert.equal((await errorsOf(`${cells(200)}\n`)).length, 200 + 199)
})

test('refuses a header of several lines or with a misplaced quote, and does not take the next line for it', async () => {
  for (const header of ['"Uic\nSymbol",Isin', 'Uic,"Symbol'])
    assert.deepEqual(await errorsOf(`${header}\n${cells(300)}\n`), [
      [1, 'The header must be one line: a quote is not closed.'],
    ])
  const [error] = await errorsOf(`Uic,Sym"bol"\n${cells(300)}\n`)
  assert.deepEqual(error, [1, 'A cell that contains a quote must be quoted; double the inner quote.'])
})

test('reads all rows after one with a misplaced quote, however long they are together', async () => {
  const rows = Array.from({ length: 1_100 }, (_, index) => `${index + 2},B,${'x'.repeat(1_000)}\n`)
  const found = await read('Uic,Symbol,Description\n1,A,5" screen\n', ...rows)

  assert.equal(found.length, 1 + rows.length)
  assert.equal(found.filter((row) => 'error' in row).length, 1)
})

test('refuses a row of more than a megabyte, also one of several lines, and reads the rows before it', async () => {
  const long = 'x'.repeat(600_000)
  const rows = await errorsOf(`Uic,Symbol\n1,A\n2,${long}${long}\n3,C\n4,"${long}\n${long}"\n5,E\n`)
  assert.deepEqual(rows.map((row) => (Array.isArray(row) ? row.join(' ') : row.line)).toSorted(), [
    2,
    '3 Is longer than 1 MB.',
    4,
    '5 A quote is not closed before the end of the file.',
    '6 Is longer than 1 MB.',
  ])
})
