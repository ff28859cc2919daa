import type { PostingList } from '../../build/prefix-postings.ts'
import type { Scratch } from './scratch.ts'

/** A list that is asked about more than this share of its docs gets a bitmap, from this size on. */
const docsPerTest = 8
const minBitmapSize = 256

export const hasBit = (bits: Uint32Array, doc: number): boolean =>
  (((bits[doc >>> 5] as number) >>> (doc & 31)) & 1) === 1

/** Tests ascending docs for membership in a posting list: by its bitmap, or by galloping search. */
export class PostingCursor {
  readonly #list: PostingList
  readonly #scratch: Scratch | undefined
  readonly #docs: Uint32Array
  readonly #to: number
  /** Its bitmap, once there is one. */
  bits: Uint32Array | undefined
  #at: number
  /** How many more docs are looked up before there is a bitmap. */
  #lookups: number

  constructor(list: PostingList, scratch?: Scratch) {
    this.#list = list
    this.#scratch = list.size < minBitmapSize ? undefined : scratch
    this.#docs = list.docs
    this.#to = list.to
    this.bits = list.bits
    this.#at = list.from
    this.#lookups = Math.floor(list.size / docsPerTest)
  }

  has(doc: number): boolean {
    return this.bits ? hasBit(this.bits, doc) : this.#find(doc)
  }

  #find(doc: number): boolean {
    if (this.#scratch && --this.#lookups < 0) {
      this.bits = this.#scratch.bitmapOf(this.#list)
      return hasBit(this.bits, doc)
    }
    const docs = this.#docs
    const to = this.#to
    let at = this.#at
    if (at >= to) return false
    const here = docs[at] as number
    if (here >= doc) return here === doc
    let step = 1
    while (at + step < to && (docs[at + step] as number) < doc) {
      at += step
      step *= 2
    }
    let low = at + 1
    let high = at + step < to ? at + step : to
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] as number) < doc) low = middle + 1
      else high = middle
    }
    this.#at = low
    return low < to && docs[low] === doc
  }
}

/** Cursors of the lists that are not empty. */
export function cursorsOf(lists: readonly PostingList[], scratch?: Scratch): PostingCursor[] {
  const cursors: PostingCursor[] = []
  for (let index = 0; index < lists.length; index++) {
    const list = lists[index] as PostingList
    if (list.size > 0) cursors.push(new PostingCursor(list, scratch))
  }
  return cursors
}

export function anyHas(cursors: readonly PostingCursor[], doc: number): boolean {
  for (let index = 0; index < cursors.length; index++) if ((cursors[index] as PostingCursor).has(doc)) return true
  return false
}

export function allHave(cursors: readonly PostingCursor[], doc: number): boolean {
  for (let index = 0; index < cursors.length; index++) if (!(cursors[index] as PostingCursor).has(doc)) return false
  return true
}
