import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { didYouMean } from '../../core/text.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { Kind } from '../kind.ts'
import { type Line, readLines } from './lines.ts'

export type CsvRow = { line: number; value: unknown } | { line: number; error: string; field?: string }

/** The parser keeps every cell of a record, so limits apply to its text. */
const limits = { columns: 200, headerLength: 10_000, rowLength: 1024 * 1024 }
const tooLong = 'Is longer than 1 MB.'

const form = {
  info: true,
  record_delimiter: '\n',
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  trim: true,
  max_record_size: limits.rowLength,
}
const notClosing = 'A closing quote must be followed by a comma or the end of the line; double a quote inside a cell.'
const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: notClosing,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: notClosing,
  INVALID_OPENING_QUOTE: 'A cell that contains a quote must be quoted; double the inner quote.',
  CSV_QUOTE_NOT_CLOSED: 'A quote is not closed before the end of the file.',
  CSV_MAX_RECORD_SIZE: tooLong,
}
const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const batch = 500
const scalar = ['string', 'integer', 'number', 'boolean']

const lists = ['AssetType', 'Terms', 'Aliases']

/** Reads instruments from a table. The header has member names; AssetType, Terms and Aliases may list several by `;`. */
export async function* readCsv(bytes: AsyncIterable<Buffer>, kind: Kind): AsyncGenerator<CsvRow[]> {
  const columns = csvColumns(kind)
  let rows: CsvRow[] = []
  let isHeaderMalformed = false
  // Report a malformed row and continue, so that all errors are found.
  const on_skip = (error: CsvError | undefined) => {
    isHeaderMalformed ||= error?.records === 0
    rows.push({ line: Number(error?.lines ?? 1), error: reasons[error?.code ?? ''] ?? 'Is not CSV.' })
    return undefined
  }
  const texts = readTexts(bytes, (row) => rows.push(row))
  const parser = Readable.from(texts, { objectMode: false }).compose(parse({ ...form, on_skip }))
  let header: string[] | undefined
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (isHeaderMalformed) break
    // The parser reports where a row ends; a cell may span several lines.
    const line = info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
    if (header) rows.push(readRow(record, header, columns, line))
    else {
      header = record.map((name) => name.trim())
      const errors = headerErrors(header, columns, line)
      if (errors.length > 0) return yield errors
    }
    if (rows.length < batch) continue
    yield rows
    rows = []
  }
  yield rows
}

/** Normalizes line ends to line feeds, because the parser counts every other line end too. Reports an unreadable line
 *  and leaves it empty; stops if it is the header or in a row of several lines. */
async function* readTexts(bytes: AsyncIterable<Buffer>, report: (row: CsvRow) => void): AsyncGenerator<string> {
  let line = 0
  let hasHeader = false
  let length = 0
  let isOpen = false
  for await (const lines of readLines(bytes)) {
    let texts = ''
    for (const one of lines.flatMap(splitReturns)) {
      line++
      const text = 'text' in one ? one.text : ''
      length = isOpen ? length + text.length : text.length
      const isHeader: boolean = !hasHeader && text.trim() !== ''
      const error = 'error' in one ? one.error : isHeader ? headerError(text) : rowError(length)
      if (error !== undefined) report({ line, error })
      if (error !== undefined && (!hasHeader || isOpen)) return yield texts
      hasHeader ||= isHeader
      isOpen = error === undefined && (isOpen ? !hasOpenQuote(text) : leavesCellOpen(text))
      texts += error === undefined ? `${text}\n` : '\n'
    }
    yield texts
  }
}

const splitReturns = (line: Line): Line[] =>
  'error' in line
    ? [line]
    : line.text
        .replace(/\r$/, '')
        .split('\r')
        .map((text) => ({ text }))

function headerError(text: string): string | undefined {
  const columns = countOf(',', text) + 1
  if (columns > limits.columns) return `The header has ${columns} columns. It may have at most ${limits.columns}.`
  if (text.length > limits.headerLength)
    return `The header is longer than ${limits.headerLength.toLocaleString('en-US')} characters.`
  return hasOpenQuote(text) ? 'The header must be one line: a quote is not closed.' : undefined
}

const rowError = (length: number): string | undefined => (length > limits.rowLength ? tooLong : undefined)

/** Whether a quoted cell begins or ends in the line, and goes on beyond it. */
const hasOpenQuote = (text: string): boolean => countOf('"', text) % 2 === 1

/** Whether a quoted cell that begins in the line goes on beyond it. A quote inside an unquoted cell opens nothing. */
const leavesCellOpen = (text: string): boolean => hasOpenQuote(text) && /(?:^|,)\s*"/.test(text)

function countOf(letter: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) count++
  return count
}

/** The columns: members that are strings, numbers or booleans. */
function csvColumns({ schema }: Kind): Map<string, Shape> {
  const members = Object.entries(schema.properties as Record<string, Shape>)
  const plain = members.filter(([, shape]) => scalar.includes(shape.type ?? ''))
  return new Map([...plain, ...lists.map((name): [string, Shape] => [name, { type: 'string' }])])
}

function headerErrors(header: readonly string[], columns: Map<string, Shape>, line: number): CsvRow[] {
  const unknown = header.filter((name) => !columns.has(name))
  const twice = header.filter((name, index) => header.indexOf(name) < index)
  return [
    ...unknown.map((field) => ({
      line,
      field,
      error: `Is not a column.${didYouMean([...columns.keys()], field) || ` Use ${[...columns.keys()].join(', ')}.`}`,
    })),
    ...twice.map((field) => ({ line, field, error: 'Is given twice.' })),
  ]
}

function readRow(
  cells: readonly string[],
  header: readonly string[],
  columns: Map<string, Shape>,
  line: number,
): CsvRow {
  if (cells.length !== header.length)
    return { line, error: `Has ${cells.length} cells where the header has ${header.length}.` }
  const record: Record<string, unknown> = { kind: 'instrument' }
  for (const [index, name] of header.entries()) {
    const cell = (cells[index] ?? '').trim()
    if (cell === '') continue
    if (name === 'AssetType') record.As = listIn(cell).map((AssetType) => ({ AssetType }))
    else if (lists.includes(name)) record[name] = listIn(cell)
    else record[name] = cellValue(columns.get(name) ?? {}, cell)
  }
  return { line, value: record }
}

const listIn = (cell: string): string[] => cell.split(';').map((item) => item.trim())

/** Keeps a cell that is not of the column's type as text, for the schema to reject. */
function cellValue({ type }: Shape, cell: string): unknown {
  if (type === 'string') return cell
  if (type === 'boolean') return /^(true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : cell
  return decimal.test(cell) ? Number(cell) : cell
}
