import type { Places } from '../import/errors.ts'
import type { Kind } from '../kind.ts'
import { readCsv } from './csv.ts'
import { readLines } from './lines.ts'
import type { Source } from './sources.ts'

/** A record as it was read: a line of NDJSON, the value of a row of CSV or of a message, or what keeps it from being one.
 *  `kind` is what it would have been, where that is known. */
export type Item = { line: number } & (
  | { text: string }
  | { value: unknown }
  | { fault: string; field?: string; kind?: string }
)

/** The records of a file in batches, each with the number of its line; empty lines are none. */
export async function* readRecords(
  source: Source,
  kinds: readonly Kind[],
  places: Places,
  onRead: (bytes: number) => void,
): AsyncGenerator<Item[]> {
  const bytes = source.open(onRead)
  if (source.format === 'ndjson') return yield* readNdjson(bytes, places)
  const instrument = kinds.find(({ name }) => name === 'instrument')
  if (!instrument) throw new Error('CSV is for instruments.')
  for await (const rows of readCsv(bytes, instrument))
    yield rows.map(({ line, ...row }): Item => ({ ...row, line: places.at(line) }))
}

async function* readNdjson(bytes: AsyncIterable<Buffer>, places: Places): AsyncGenerator<Item[]> {
  let isFirst = true
  for await (const lines of readLines(bytes)) {
    const items = lines.flatMap((line): Item[] => {
      const item = { line: places.next(), ...line }
      return 'text' in item && item.text.trim() === '' ? [] : [item]
    })
    const [first] = items
    const fault = isFirst && first && 'text' in first ? otherFormat(first.text) : undefined
    if (first && fault !== undefined) return yield [{ line: first.line, kind: 'event', fault }]
    isFirst &&= !first
    yield items
  }
}

/** A file of messages would have a fault in every line. */
function otherFormat(text: string): string | undefined {
  if (/^\s*(\{1:|:16R:)/.test(text))
    return 'Is not NDJSON; it looks like an MT564: name it .fin, or use --format mt564.'
  return /^\s*</.test(text) ? 'Is XML, not NDJSON: name it .xml, or use --format seev031.' : undefined
}
