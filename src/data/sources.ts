import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A file to import, or standard input. */
export type Source = Readonly<{
  /** As faults name it. */
  name: string
  format: 'ndjson' | 'csv'
  /** Undefined when nobody knows: standard input. */
  size: number | undefined
  /** Its bytes, unpacked; tells how many were read of it as it is. */
  open(onRead: (bytes: number) => void): AsyncIterable<Buffer>
}>

type Input = AsyncIterable<Buffer> & { isTTY?: boolean }

const chunkBytes = 1024 * 1024
const form = /\.(ndjson|csv)(\.gz)?$/i

/** Looks at all files before any is read: a name that is wrong is told at once. */
export async function findSources(paths: readonly string[], input: Input): Promise<Source[]> {
  if (paths.length === 0 && input.isTTY) throw new Error('Give files: refdesk import FILE... (- is standard input)')
  const sources: Source[] = []
  for (const path of paths.length === 0 ? ['-'] : paths)
    sources.push(path === '-' ? inputSource(input) : await fileSource(path))
  return sources
}

function inputSource(input: Input): Source {
  const open: Source['open'] = (onRead) => counted(input, onRead)
  return { name: 'stdin', format: 'ndjson', size: undefined, open }
}

async function fileSource(path: string): Promise<Source> {
  const [, format, packed] = form.exec(path) ?? []
  if (format === undefined) throw new Error(`${path} is none of .ndjson, .ndjson.gz, .csv, .csv.gz.`)
  const found = await stat(path)
  if (found.isDirectory()) throw new Error(`${path} is a folder; give files.`)
  const open: Source['open'] = (onRead) => {
    const bytes = counted(createReadStream(path, { highWaterMark: chunkBytes }), onRead)
    return packed === undefined ? bytes : unpacked(bytes, path)
  }
  // A pipe has no size that means anything.
  const size = found.isFile() ? found.size : undefined
  return { name: basename(path), format: format.toLowerCase() as Source['format'], size, open }
}

async function* counted(bytes: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    onRead(chunk.length)
    yield chunk
  }
}

async function* unpacked(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  pipeline(bytes, gunzip, () => {})
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (code.startsWith('Z_')) throw new Error(`${path} is not a whole gzip file.`, { cause: error })
    throw error
  }
}
