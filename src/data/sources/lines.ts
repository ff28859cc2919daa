import { isUtf8 } from 'node:buffer'

export type Line = { text: string } | { error: string }

export const maxLineLength = 64 * 1024 * 1024
const lineFeed = 10

/** Splits bytes into lines, block by block: one decoding and one split for each. Keeps at most the beginning of one line,
 *  up to 64 MB. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let begun: Buffer[] = []
  let length = 0
  let isFirst = true
  const take = (block: Buffer): Line[] => {
    const whole = begun.length === 0 ? block : Buffer.concat([...begun, block])
    begun = []
    length = 0
    const lines = linesOf(isFirst ? withoutByteOrderMark(whole) : whole)
    isFirst = false
    return lines
  }
  let isTooLong = false
  for await (const chunk of bytes) {
    const first = isTooLong ? chunk.indexOf(lineFeed) : 0
    if (first < 0) continue
    if (isTooLong) yield [tooLong]
    const rest = isTooLong ? chunk.subarray(first + 1) : chunk
    isTooLong = false
    const last = rest.lastIndexOf(lineFeed)
    if (last >= 0) yield take(rest.subarray(0, last))
    const tail = rest.subarray(last + 1)
    if (tail.length > 0) begun.push(tail)
    length += tail.length
    if (length > maxLineLength) {
      begun = []
      length = 0
      isTooLong = true
    }
  }
  if (isTooLong) yield [tooLong]
  else if (length > 0) yield take(Buffer.alloc(0))
}

const tooLong: Line = { error: 'Is longer than 64 MB.' }

function withoutByteOrderMark(block: Buffer): Buffer {
  return block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf ? block.subarray(3) : block
}

function linesOf(block: Buffer): Line[] {
  if (isUtf8(block))
    return block
      .toString('utf8')
      .split('\n')
      .map((text) => (text.length > maxLineLength ? tooLong : { text }))
  const lines: Line[] = []
  for (let start = 0; start <= block.length; ) {
    const found = block.indexOf(lineFeed, start)
    const end = found < 0 ? block.length : found
    const line = block.subarray(start, end)
    lines.push(isUtf8(line) ? { text: line.toString('utf8') } : { error: 'Is not UTF-8.' })
    start = end + 1
  }
  return lines
}
