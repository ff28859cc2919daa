import type { LineNumbers } from '../import/errors.ts'
import type { Kind } from '../kind.ts'
import { readCsv } from './csv.ts'
import { readLines } from './lines.ts'
import type { Source } from './sources.ts'

/** A record as read: a line of NDJSON, the value of a CSV row or message, or the reason why it cannot be read, with the
 *  kind that it would have had if known. */
export type Item = { line: number } & (
  | { text: string }
  | { value: unknown }
  | { error: string; field?: string; kind?: string }
)

/** Reads the records of a file in batches, each with its line number. Skips empty lines. */
export async function* readRecords(
  source: Source,
  kinds: readonly Kind[],
  lines: LineNumbers,
  onRead: (bytes: number) => void,
): AsyncGenerator<Item[]> {
  const bytes = source.open(onRead)
  if (source.format === 'ndjson') return yield* readNdjson(bytes, lines)
  const instrument = kinds.find(({ name }) => name === 'instrument')
  if (!instrument) throw new Error('CSV is supported for instruments only.')
  for await (const rows of readCsv(bytes, instrument))
    yield rows.map(({ line, ...row }): Item => ({ ...row, line: lines.at(line) }))
}

async function* readNdjson(bytes: AsyncIterable<Buffer>, numbers: LineNumbers): AsyncGenerator<Item[]> {
  let isFirst = true
  for await (const lines of readLines(bytes)) {
    const items = lines.flatMap((line): Item[] => {
      const item = { line: numbers.next(), ...line }
      return 'text' in item && item.text.trim() === '' ? [] : [item]
    })
    const [first] = items
    const error = isFirst && first && 'text' in first ? otherFormat(first.text) : undefined
    if (first && error !== undefined) return yield [{ line: first.line, kind: 'event', error }]
    isFirst &&= !first
    yield items
  }
}

/** Recognizes a file of messages, which would otherwise report an error for every line. */
function otherFormat(text: string): string | undefined {
  if (/^\s*(\{1:|:16R:)/.test(text))
    return 'Is not NDJSON; it looks like an MT564: name it .fin, or use --format mt564.'
  return /^\s*</.test(text) ? 'Is XML, not NDJSON: name it .xml, or use --format seev031.' : undefined
}
