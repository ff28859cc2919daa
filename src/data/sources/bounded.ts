import type { Source } from './sources.ts'

const advice = 'Import them with the command line: refdesk import FILE.'

/** Limits the bytes of all sources together. Compressed files can become much larger ones (§11.11). */
export function boundTogether(sources: readonly Source[], maxBytes: number): Source[] {
  let total = 0
  async function* bounded(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      total += chunk.length
      if (total > maxBytes)
        throw new Error(`The files have more than ${maxBytes / 1024 / 1024} MB when decompressed. ${advice}`)
      yield chunk
    }
  }
  return sources.map((source) => ({ ...source, open: (onRead) => bounded(source.open(onRead)) }))
}

/** Returns a function to call with the length of each record. A short line can stand for many, or for long ones (§11.11). */
export function boundRecords(maxRecords: number, maxLength: number): (length: number) => void {
  let [records, total] = [0, 0]
  return (length) => {
    records++
    total += length
    if (records <= maxRecords && total <= maxLength) return
    const [count, megabytes] = [maxRecords.toLocaleString('en-US'), maxLength / 1024 / 1024]
    throw new Error(
      `The files expand to more than ${count} records or ${megabytes} MB, counting those of Repeat and Terms. ${advice}`,
    )
  }
}
