import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

const formats = ['ndjson', 'csv', 'seev031', 'mt564'] as const
export type Format = (typeof formats)[number]

/** Corporate action notifications, of which a file is read as a whole. */
export const isMessageFormat = (format: Format): format is 'seev031' | 'mt564' =>
  format === 'seev031' || format === 'mt564'

/** A file to import, or standard input. */
export type Source = Readonly<{
  /** As errors name it. */
  name: string
  format: Format
  /** Undefined when nobody knows: standard input. */
  size: number | undefined
  /** Its bytes, unpacked; tells how many were read of it as it is. */
  open(onRead: (bytes: number) => void): AsyncIterable<Buffer>
}>

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
const packing = /\.gz$/i

/** A format by its name, as `--format` has it. */
export function formatNamed(name: string): Format {
  const format = formats.find((one) => one === name.toLowerCase())
  if (!format) throw new Error(`There is no format ${name}; there are ${formats.join(', ')}.`)
  return format
}

/** Looks at all files before any is read: a name that is wrong is told at once. Where it is told, all of them have this
 *  format; else a file has that of its ending, and standard input is NDJSON. */
export async function findSources(paths: readonly string[], input: Input, told?: Format): Promise<Source[]> {
  if (paths.length === 0 && input.isTTY) throw new Error('Give files: refdesk import FILE... (- is standard input)')
  const sources: Source[] = []
  for (const path of paths.length === 0 ? ['-'] : paths)
    sources.push(
      path === '-' ? inputSource(input, told ?? 'ndjson') : await fileSource(path, told, nameOf(path, paths)),
    )
  return sources
}

/** The last part of the path, unless another file has the same. */
function nameOf(path: string, paths: readonly string[]): string {
  const name = basename(path)
  return paths.some((other) => other !== path && basename(other) === name) ? path : name
}

function inputSource(input: Input, format: Format): Source {
  const open: Source['open'] = (onRead) => counted(input, onRead)
  return { name: 'stdin', format, size: undefined, open }
}

async function fileSource(path: string, told: Format | undefined, name: string): Promise<Source> {
  const format = told ?? endings.get(extname(path.replace(packing, '')).toLowerCase())
  if (format === undefined)
    throw new Error(
      `${path} is none of ${[...endings.keys()].join(', ')}, each also .gz. Tell what it is with --format.`,
    )
  const found = await stat(path)
  if (found.isDirectory()) throw new Error(`${path} is a folder; give files.`)
  const open: Source['open'] = (onRead) => {
    const bytes = counted(createReadStream(path, { highWaterMark: chunkBytes }), onRead)
    return packing.test(path) ? unpacked(bytes, path) : bytes
  }
  // A pipe has no size that means anything.
  const size = found.isFile() ? found.size : undefined
  return { name, format, size, open }
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
