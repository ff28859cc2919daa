import type { PostingList } from '../../build/prefix-postings.ts'

const maxKept = 8
/** Cleared bitmaps of earlier searches: making new ones takes longer than filling them. */
const kept: Uint32Array[] = []

/** Bitmaps of posting lists for the duration of one search. */
export class Scratch {
  readonly #words: number
  readonly #lists: PostingList[] = []
  readonly #bitmaps: Uint32Array[] = []

  constructor(docCount: number) {
    this.#words = Math.ceil(docCount / 32)
  }

  bitmapOf(list: PostingList): Uint32Array {
    const known = this.#lists.indexOf(list)
    if (known >= 0) return this.#bitmaps[known] as Uint32Array
    const last = kept.pop()
    const bits = last && last.length >= this.#words ? last : new Uint32Array(this.#words)
    const { docs, from, to } = list
    for (let at = from; at < to; at++) {
      const doc = docs[at] as number
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    }
    this.#lists.push(list)
    this.#bitmaps.push(bits)
    return bits
  }

  release(): void {
    for (const bits of this.#bitmaps) if (kept.length < maxKept) kept.push(bits.fill(0, 0, this.#words))
  }
}
