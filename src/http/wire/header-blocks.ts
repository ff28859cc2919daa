import type { IncomingHttpHeaders } from 'node:http'

/** The header lines of a request. */
export type HeaderBlock = Readonly<{
  text: string
  headers: IncomingHttpHeaders
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[]
}>

const slots = 256
/** Longer ones, and those with more lines, are not kept. */
const max = { characters: 2_048, headers: 20 }
/** How many characters of a text decide about its slot. */
const samples = 32

/** Header lines that were read before, of all connections: those of one caller are nearly always the same, and behind a proxy a
 *  connection has requests of many callers. */
export class HeaderBlocks {
  readonly #blocks: (HeaderBlock | undefined)[] = Array.from({ length: slots })

  find(text: string): HeaderBlock | undefined {
    const known = this.#blocks[slotOf(text)]
    return known?.text === text ? known : undefined
  }

  keep(block: HeaderBlock): void {
    const { text, rawHeaders } = block
    if (text.length <= max.characters && rawHeaders.length <= 2 * max.headers) this.#blocks[slotOf(text)] = block
  }
}

/** Of characters all over the text, because tokens differ anywhere. */
function slotOf(text: string): number {
  const { length } = text
  const step = Math.max(1, Math.floor(length / samples))
  let hash = length
  for (let at = length - 1; at >= 0; at -= step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & (slots - 1)
}
