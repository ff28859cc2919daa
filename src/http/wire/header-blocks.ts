import type { IncomingHttpHeaders } from 'node:http'

/** The header lines of a request. */
export type HeaderBlock = Readonly<{
  text: string
  headers: Readonly<IncomingHttpHeaders>
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[]
}>

const slots = 1_024
/** Longer texts are not kept. */
const maxCharacters = 2_048
/** At least as many characters of a text are hashed, if it has them. */
const samples = 32

/** Header lines that were read before, of all connections: behind a proxy a connection has requests of many callers. They are kept when
 *  they are read for the second time, so that headers that differ in each request replace nothing. */
export class HeaderBlocks {
  readonly #blocks: (HeaderBlock | undefined)[] = Array.from({ length: slots })
  readonly #seen = new Int32Array(slots)

  find(text: string): HeaderBlock | undefined {
    const known = this.#blocks[hashOf(text) & (slots - 1)]
    return known?.text === text ? known : undefined
  }

  /** Whether to keep a block that was just read. */
  admits(text: string): boolean {
    if (text.length > maxCharacters) return false
    const hash = hashOf(text)
    const slot = hash & (slots - 1)
    const isSeen = this.#seen[slot] === hash
    this.#seen[slot] = hash
    return isSeen
  }

  keep(block: HeaderBlock): void {
    this.#blocks[hashOf(block.text) & (slots - 1)] = block
  }
}

/** Of characters all over the text, because tokens differ anywhere. */
function hashOf(text: string): number {
  const { length } = text
  const step = Math.max(1, Math.floor(length / samples))
  let hash = length
  for (let at = length - 1; at >= 0; at -= step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The slot is in the low bits, which so far depend on low bits only.
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 12)
}
