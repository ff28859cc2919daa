import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { systemClock } from '../../../core/clock.ts'
import { makeFolder } from '../../../core/files/make-folder.ts'
import { syncFolder } from '../../../core/files/secret-file.ts'
import type { Segment } from '../segment.ts'
import { aligned, type Layout, layoutOf, unpack } from './layout.ts'
import { programFingerprint } from './program.ts'
import { partsOf, segmentOf } from './segment-parts.ts'

type Block = Readonly<{ plan: Layout['plan']; length: number; checksum: number }>
type Header = Readonly<{ program: string; blocks: readonly [docs: Block, contracts: Block] }>

const fileName = 'catalogue.segment'
const chunkBytes = 2 * 1_024 * 1_024
const preludeBytes = 64
const maxHeaderBytes = 256 * 1_024 * 1_024
/** A temporary file that has not been written to for so long belongs to a process that was killed. */
const leftoverMs = 10 * 60_000

export class UnusableFile extends Error {}

/** Replaces the kept segment as a whole: its file is complete and on disk before it gets its name. */
export async function writeKeptSegment(folder: string, segment: Segment): Promise<void> {
  const temporary = await writeSegmentFile(folder, segment)
  try {
    await rename(temporary, join(folder, fileName))
    await syncFolder(folder)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Writes a temporary file; returns its path. If it is not removed, a later write does so. */
export async function writeSegmentFile(folder: string, segment: Segment): Promise<string> {
  await makeFolder(folder)
  await removeLeftovers(folder)
  const temporary = join(folder, `${fileName}.new-${randomBytes(8).toString('hex')}`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    try {
      const [docs, contracts] = partsOf(segment)
      await writeContent(handle, [layoutOf(docs), layoutOf(contracts)])
      await handle.sync()
    } finally {
      await handle.close()
    }
    return temporary
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeContent(handle: FileHandle, layouts: readonly [docs: Layout, contracts: Layout]): Promise<void> {
  const header: Header = { program: await programFingerprint(), blocks: [blockOf(layouts[0]), blockOf(layouts[1])] }
  const text = Buffer.from(JSON.stringify(header))
  const prelude = Buffer.alloc(preludeBytes, ' ')
  prelude.write(`refdesk segment ${text.length} ${crc32(text)}\n`)
  await writeAll(handle, prelude, 0)
  await writeAll(handle, text, preludeBytes)
  let at = aligned(preludeBytes + text.length)
  for (const { arrays, length } of layouts) {
    for (const { start, bytes } of arrays) await writeAll(handle, bytes, at + start)
    at += length
  }
  // The gap after the last array belongs to the file too.
  await handle.truncate(at)
}

const blockOf = (layout: Layout): Block => ({
  plan: layout.plan,
  length: layout.length,
  checksum: checksumOf(layout),
})

const gap = new Uint8Array(aligned(1))

/** Of the whole block, gaps between arrays included. */
function checksumOf({ arrays, length }: Layout): number {
  let checksum = 0
  for (const [index, { start, bytes }] of arrays.entries()) {
    checksum = crc32(bytes, checksum)
    checksum = crc32(gap.subarray(0, (arrays[index + 1]?.start ?? length) - start - bytes.length), checksum)
  }
  return checksum
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, Math.min(chunkBytes, bytes.length - at), position + at)
    at += bytesWritten
  }
}

/** Reads the kept segment; undefined if there is none. Throws UnusableFile if it is damaged or of another program.
 *  Contracts that are known to be the same are not read: the segment shares them. */
export function readKeptSegment(folder: string, contracts?: Segment['options']): Promise<Segment | undefined> {
  return readSegmentFile(join(folder, fileName), contracts).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

export async function readSegmentFile(file: string, contracts?: Segment['options']): Promise<Segment> {
  const handle = await open(file, 'r')
  try {
    const { header, end } = await readHeader(handle)
    if (header.program !== (await programFingerprint())) throw new UnusableFile('It was written by another program.')
    const [docs, ofContracts] = header.blocks
    return segmentOf([
      await readBlock(handle, docs, end),
      contracts ?? (await readBlock(handle, ofContracts, end + docs.length)),
    ])
  } finally {
    await handle.close()
  }
}

async function readHeader(handle: FileHandle): Promise<{ header: Header; end: number }> {
  const prelude = Buffer.alloc(preludeBytes)
  await readAll(handle, prelude, 0)
  const [, length, checksum] = /^refdesk segment (\d+) (\d+)\n/.exec(prelude.toString('latin1')) ?? []
  if (length === undefined || Number(length) > maxHeaderBytes) throw new UnusableFile('It is not a segment file.')
  const text = Buffer.alloc(Number(length))
  if ((await readAll(handle, text, preludeBytes)) !== Number(checksum)) throw damaged()
  return { header: JSON.parse(text.toString()), end: aligned(preludeBytes + text.length) }
}

async function readBlock(handle: FileHandle, { plan, length, checksum }: Block, position: number): Promise<unknown> {
  const { size } = await handle.stat()
  if (position + length > size) throw damaged()
  const block = new SharedArrayBuffer(length)
  if ((await readAll(handle, new Uint8Array(block), position)) !== checksum) throw damaged()
  return unpack(plan, block)
}

/** Returns the checksum, which it computes between reads, so that requests are answered meanwhile. */
async function readAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let checksum = 0
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(chunkBytes, bytes.length - at), position + at)
    if (bytesRead === 0) throw damaged()
    checksum = crc32(bytes.subarray(at, at + bytesRead), checksum)
    at += bytesRead
  }
  return checksum
}

const damaged = (): UnusableFile => new UnusableFile('It is damaged.')

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${fileName}.new-`)) continue
    const path = join(folder, name)
    const changed = await stat(path).catch(() => undefined)
    if (changed && systemClock.now().epochMilliseconds - changed.mtimeMs > leftoverMs) await rm(path, { force: true })
  }
}
