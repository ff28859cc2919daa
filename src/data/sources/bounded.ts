import type { Source } from './sources.ts'

/** Limits the bytes of all sources together. Compressed files can become much larger ones (§11.11). */
export function boundTogether(sources: readonly Source[], maxBytes: number): Source[] {
  let total = 0
  async function* bounded(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      total += chunk.length
      if (total > maxBytes)
        throw new Error(
          `The files have more than ${maxBytes / 1024 / 1024} MB when decompressed. Import them with the command line: refdesk import FILE.`,
        )
      yield chunk
    }
  }
  return sources.map((source) => ({ ...source, open: (onRead) => bounded(source.open(onRead)) }))
}
