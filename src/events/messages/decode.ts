import { isUtf8 } from 'node:buffer'
import { ParseError } from './errors.ts'
import * as limits from './limits.ts'

const boms: readonly [encoding: string, bytes: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Decodes UTF-8, or UTF-16 with a byte order mark. FIN files often have Latin-1 in their narratives. */
export function decode(bytes: Uint8Array, mayBeLatin1: boolean): string {
  if (bytes.length > limits.fileBytes)
    throw new ParseError(1, `The file is larger than ${limits.fileBytes / 1024 / 1024} MiB. Split it.`)
  const [encoding] = boms.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? ['utf-8']
  const isLatin1 = mayBeLatin1 && encoding === 'utf-8' && !isUtf8(bytes)
  const text = isLatin1 ? Buffer.from(bytes).toString('latin1') : decodeAs(encoding, bytes)
  if (text.includes('\0'))
    throw new ParseError(lineAt(text, text.indexOf('\0')), 'Must not contain a null character (U+0000).')
  return text
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new ParseError(1, `The file is not ${encoding.toUpperCase()} text.`)
  }
}

export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length
