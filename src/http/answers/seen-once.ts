const slots = 1 << 16

/** Which of the latest pairs were seen before, by a hash of 32 bits each: a wrong yes is rare and harmless. */
export class SeenOnce {
  readonly #hashes = new Int32Array(slots)

  /** Whether the pair was seen before. */
  again(first: string, second: string): boolean {
    const hash = hashOf(second, hashOf(first, 0x811c9dc5))
    const slot = hash & (slots - 1)
    if (this.#hashes[slot] === hash) return true
    this.#hashes[slot] = hash
    return false
  }
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string, start: number): number {
  let hash = start
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
