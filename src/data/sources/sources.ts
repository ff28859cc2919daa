import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

export const formats = ['ndjson', 'csv', 'seev031', 'mt564'] as const
export type Format = (typeof formats)[number]

export type Source = Readonly<{
  name: string
  format: Format
  /** Undefined for standard input. */
  size: number | undefined
  /** Opens the decompressed bytes. `onRead` counts the compressed ones. */
  open(onRead: (bytes: number) => void): AsyncIterable<Buffer>
}>

export type MessageSource = Source & Readonly<{ format: 'seev031' | 'mt564' }>
export const isMessageSource = (source: Source): source is MessageSource =>
  source.format === 'seev031' || source.format === 'mt564'

type Input = AsyncIterable<Buffer> & { isTTY?: boolean }

const chunkBytes = 1024 * 1024
const endings = new Map<string, Format>([
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.csv', 'csv'],
  ['.xml', 'seev031'],
  ['.fin', 'mt564'],
  ['.mt564', 'mt564'],
])
const compressed = /\.gz$/i

/** Checks all files before any is read. Without `given`, the name decides the format, and standard input is NDJSON. */
export async function findSources(paths: readonly string[], input: Input, given?: Format): Promise<Source[]> {
  if (paths.length === 0 && input.isTTY) throw nothingToImport()
  const sources: Source[] = []
  if (paths.length === 0) return [inputSource(nonEmpty(input), given)]
  for (const path of paths)
    sources.push(path === '-' ? inputSource(input, given) : await fileSource(path, given, nameOf(path, paths)))
  return sources
}

function nameOf(path: string, paths: readonly string[]): string {
  const name = basename(path)
  return paths.some((other) => other !== path && basename(other) === name) ? path : name
}

const nothingToImport = () =>
  new Error('There is nothing to import. Pass files, or send records to standard input: refdesk import FILE...')

async function* nonEmpty(input: Input): AsyncGenerator<Buffer> {
  let isEmpty = true
  for await (const chunk of input) {
    isEmpty = false
    yield chunk
  }
  if (isEmpty) throw nothingToImport()
}

const inputSource = (input: Input, format: Format = 'ndjson'): Source => ({
  name: 'stdin',
  format,
  size: undefined,
  open: (onRead) => counted(input, onRead),
})

/** The format that the name of a file stands for. */
export const formatOf = (name: string): Format | undefined =>
  endings.get(extname(name.replace(compressed, '')).toLowerCase())

export const knownEndings = [...endings.keys()]

/** A file that is kept elsewhere. */
export function keptSource(file: Omit<Source, 'open'>, bytes: () => AsyncIterable<Buffer>): Source {
  const { name } = file
  return {
    ...file,
    open: (onRead) => {
      const read = counted(bytes(), onRead)
      return compressed.test(name) ? decompress(read, name) : read
    },
  }
}

async function fileSource(path: string, given: Format | undefined, name: string): Promise<Source> {
  const format = given ?? formatOf(path)
  if (format === undefined)
    throw new Error(
      `${path} has an unknown format. Use one of ${knownEndings.join(', ')}, each also .gz, or pass --format.`,
    )
  const found = await stat(path)
  if (found.isDirectory()) throw new Error(`${path} is a folder. Pass files.`)
  const open: Source['open'] = (onRead) => {
    const bytes = counted(createReadStream(path, { highWaterMark: chunkBytes }), onRead)
    return compressed.test(path) ? decompress(bytes, path) : bytes
  }
  // A pipe has no meaningful size.
  const size = found.isFile() ? found.size : undefined
  return { name, format, size, open }
}

async function* counted(bytes: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    onRead(chunk.length)
    yield chunk
  }
}

async function* decompress(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  pipeline(bytes, gunzip, () => {})
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (code.startsWith('Z_')) throw new Error(`${path} is not a complete gzip file.`, { cause: error })
    throw error
  }
}
