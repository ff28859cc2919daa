import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import type { Shape } from '../http/constraints.ts'
import type { Kind } from './kind.ts'
import { longestLine } from './lines.ts'

/** A row as a record, or what is wrong; `line` is counted within the file. */
export type CsvRow = { line: number; value: unknown } | { line: number; fault: string; field?: string }

const form = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: longestLine,
}
const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const batch = 500
const scalar = ['string', 'integer', 'number', 'boolean']

/** Instruments as a table: a header row of the record's own names, and AssetType, which may list several by `;`. */
export async function* readCsv(bytes: AsyncIterable<Buffer>, kind: Kind): AsyncGenerator<CsvRow[]> {
  const columns = csvColumns(kind)
  let rows: CsvRow[] = []
  // A row that is no CSV is skipped and told, so that the faults of others are found too.
  const on_skip = (error: CsvError | undefined) => {
    const fault = `Is not CSV: ${error?.code.slice(4).toLowerCase().replaceAll('_', ' ')}.`
    rows.push({ line: Number(error?.lines ?? 1), fault })
    return undefined
  }
  const parser = Readable.from(bytes, { objectMode: false }).compose(parse({ ...form, on_skip }))
  let header: string[] | undefined
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (header) rows.push(readRow(record, header, columns, info.lines))
    else {
      header = record.map((name) => name.trim())
      const faults = headerFaults(header, columns, info.lines)
      if (faults.length > 0) return yield faults
    }
    if (rows.length < batch) continue
    yield rows
    rows = []
  }
  yield rows
}

/** What one cell can say: members that are a text, a number, or true and false. */
function csvColumns({ schema }: Kind): Map<string, Shape> {
  const members = Object.entries(schema.properties as Record<string, Shape>)
  const plain = members.filter(([, shape]) => scalar.includes(shape.type ?? ''))
  return new Map([...plain, ['AssetType', { type: 'string' }]])
}

function headerFaults(header: readonly string[], columns: Map<string, Shape>, line: number): CsvRow[] {
  const unknown = header.filter((name) => !columns.has(name))
  const twice = header.filter((name, index) => header.indexOf(name) < index)
  return [
    ...unknown.map((field) => ({
      line,
      field,
      fault: `Is no column here; there are ${[...columns.keys()].join(', ')}.`,
    })),
    ...twice.map((field) => ({ line, field, fault: 'Is a column twice.' })),
  ]
}

function readRow(
  cells: readonly string[],
  header: readonly string[],
  columns: Map<string, Shape>,
  line: number,
): CsvRow {
  if (cells.length !== header.length)
    return { line, fault: `Has ${cells.length} cells where the header has ${header.length}.` }
  const record: Record<string, unknown> = { kind: 'instrument' }
  for (const [index, name] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    if (name === 'AssetType') record.As = cell.split(';').map((type) => ({ AssetType: type.trim() }))
    else record[name] = cellValue(columns.get(name) ?? {}, cell)
  }
  return { line, value: record }
}

/** What stands for nothing of the type stays text, for the schema to refuse. */
function cellValue({ type }: Shape, cell: string): unknown {
  if (type === 'string') return cell
  if (type === 'boolean') return /^(true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : cell
  return decimal.test(cell) ? Number(cell) : cell
}
