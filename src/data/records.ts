import { readCsv } from './csv.ts'
import type { Places } from './faults.ts'
import type { Kind } from './kind.ts'
import { readLines } from './lines.ts'
import type { Source } from './sources.ts'

/** A record as it was read: a line of NDJSON, the value of a row of CSV, or what keeps it from being either. */
export type Item = { line: number } & ({ text: string } | { value: unknown } | { fault: string; field?: string })

/** The records of a file in batches, each with the number of its line; empty lines are none. */
export async function* readRecords(
  source: Source,
  kinds: readonly Kind[],
  places: Places,
  onRead: (bytes: number) => void,
): AsyncGenerator<Item[]> {
  const bytes = source.open(onRead)
  if (source.format === 'ndjson') {
    for await (const lines of readLines(bytes))
      yield lines.flatMap((line): Item[] => {
        const item = { line: places.next(), ...line }
        return 'text' in item && item.text.trim() === '' ? [] : [item]
      })
    return
  }
  const instrument = kinds.find(({ name }) => name === 'instrument')
  if (!instrument) throw new Error('CSV is for instruments.')
  for await (const rows of readCsv(bytes, instrument))
    yield rows.map(({ line, ...row }): Item => ({ ...row, line: places.at(line) }))
}
