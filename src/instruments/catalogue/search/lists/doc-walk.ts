import { lowerBound } from '../../arrays.ts'
import type { PostingList } from '../../build/prefix-postings.ts'
import { allHave, cursorsOf, hasBit, type PostingCursor } from './posting-cursor.ts'
import type { Scratch } from './scratch.ts'

/** Returns docs in ascending order, then -1. */
export type DocSource = { next(): number }

/** A list with fewer docs than this per word of its bitmap is walked instead of the bitmap. */
const minDocsPerWord = 0.5

const noLists: readonly PostingList[] = []
const noCursors: readonly PostingCursor[] = []

/** The docs of a posting list from doc `first` on that are in all other lists and in the bitmap `within` too. None of the lists
 *  may be empty. */
export class DocWalk implements DocSource {
  readonly #docs: Uint32Array
  readonly #to: number
  #at = 0
  /** The shortest of the other lists, which decides most, and the rest. */
  readonly #other: PostingCursor | undefined
  readonly #others: readonly PostingCursor[]
  readonly #within: Uint32Array | undefined
  /** Bitmaps that are walked instead of the list, a word at a time: that of the list, and of others. */
  readonly #bitmaps: readonly Uint32Array[] | undefined
  #word = 0
  /** The bits of the word that were not returned yet. */
  #rest = 0

  constructor(list: PostingList, first = 0, others = noLists, scratch?: Scratch, within?: Uint32Array) {
    const { docs, from, to, bits, size } = list
    this.#docs = docs
    this.#to = to
    this.#within = within
    const isShared = others.length > 0 || within !== undefined
    const isInBits =
      bits !== undefined &&
      (from === to || (isShared && size >= bits.length * minDocsPerWord && others.every(hasBitmap)))
    this.#bitmaps = isInBits ? bitmapsOf(bits, others, within) : undefined
    const tested = isInBits ? others.filter((other) => !hasBitmap(other)) : others
    const cursors = tested.length > 0 ? cursorsOf(tested, scratch) : noCursors
    this.#other = cursors[0]
    this.#others = cursors.length > 1 ? cursors.slice(1) : noCursors
    if (this.#bitmaps) {
      this.#word = first >>> 5
      this.#rest = wordOf(this.#bitmaps, this.#word) & (-1 << (first & 31))
    } else this.#at = first === 0 ? from : lowerBound(docs, first, from, to)
  }

  next(): number {
    if (!this.#bitmaps) return this.#nextInList()
    let doc = this.#nextBit(this.#bitmaps)
    if (this.#other)
      while (doc >= 0 && !(this.#other.has(doc) && allHave(this.#others, doc))) doc = this.#nextBit(this.#bitmaps)
    return doc
  }

  #nextInList(): number {
    const [docs, to, other, within] = [this.#docs, this.#to, this.#other, this.#within]
    let at = this.#at
    if (other || within)
      for (; at < to; at++) {
        const bits = other ? other.bits : within
        if (bits) at = nextWithBit(docs, at, to, bits)
        if (at === to) break
        const doc = docs[at] as number
        if (within && !hasBit(within, doc)) continue
        if ((bits || other?.has(doc)) && allHave(this.#others, doc)) break
      }
    this.#at = at + 1
    return at < to ? (docs[at] as number) : -1
  }

  #nextBit(bitmaps: readonly Uint32Array[]): number {
    if (this.#rest === 0 && !this.#findWord(bitmaps)) return -1
    const lowest = this.#rest & -this.#rest
    this.#rest ^= lowest
    return this.#word * 32 + 31 - Math.clz32(lowest)
  }

  #findWord(bitmaps: readonly Uint32Array[]): boolean {
    const [one, other = one] = bitmaps as [Uint32Array, Uint32Array?]
    const { length } = one
    let word = this.#word + 1
    for (; word < length; word++) {
      word = nextCommonWord(one, other, word, length)
      this.#rest = wordOf(bitmaps, word)
      if (this.#rest !== 0) break
    }
    this.#word = word
    return word < length
  }
}

/** The first word from `from` on in which two bitmaps have a common bit, or `to`. */
function nextCommonWord(one: Uint32Array, other: Uint32Array, from: number, to: number): number {
  let word = from
  // Four at a time, which takes a third of the time.
  for (; word + 3 < to; word += 4) {
    const even =
      ((one[word] as number) & (other[word] as number)) | ((one[word + 2] as number) & (other[word + 2] as number))
    const odd =
      ((one[word + 1] as number) & (other[word + 1] as number)) |
      ((one[word + 3] as number) & (other[word + 3] as number))
    if ((even | odd) !== 0) break
  }
  while (word < to && ((one[word] as number) & (other[word] as number)) === 0) word++
  return word
}

/** The first index from `at` on of a doc that is in the bitmap, or `to`. */
function nextWithBit(docs: Uint32Array, from: number, to: number, bits: Uint32Array): number {
  let at = from
  // Four at a time, which takes less time.
  for (; at + 3 < to; at += 4) {
    const [one, two] = [docs[at] as number, docs[at + 1] as number]
    const [three, four] = [docs[at + 2] as number, docs[at + 3] as number]
    const even = ((bits[one >>> 5] as number) >>> (one & 31)) | ((bits[three >>> 5] as number) >>> (three & 31))
    const odd = ((bits[two >>> 5] as number) >>> (two & 31)) | ((bits[four >>> 5] as number) >>> (four & 31))
    if (((even | odd) & 1) !== 0) break
  }
  while (at < to && !hasBit(bits, docs[at] as number)) at++
  return at
}

/** Of the list, the others and `within`. */
function bitmapsOf(bits: Uint32Array, others: readonly PostingList[], within: Uint32Array | undefined): Uint32Array[] {
  const bitmaps = [bits]
  for (let index = 0; index < others.length; index++) {
    const other = (others[index] as PostingList).bits
    if (other) bitmaps.push(other)
  }
  if (within) bitmaps.push(within)
  return bitmaps
}

const hasBitmap = ({ bits }: PostingList): boolean => bits !== undefined

function wordOf(bitmaps: readonly Uint32Array[], word: number): number {
  let all = -1
  for (let index = 0; index < bitmaps.length; index++) all &= (bitmaps[index] as Uint32Array)[word] as number
  return all
}

/** The docs that are in both lists, from doc `first` on. */
export function intersection(
  one: PostingList,
  other: PostingList,
  first: number,
  scratch?: Scratch,
  within?: Uint32Array,
): DocWalk[] {
  if (one.size === 0 || other.size === 0) return []
  const [shorter, longer] = one.size < other.size ? [one, other] : [other, one]
  return [new DocWalk(shorter, first, [longer], scratch, within)]
}

/** The union of a few walks. */
export class UnionWalk implements DocSource {
  readonly #walks: readonly DocWalk[]
  readonly #heads: number[]

  constructor(walks: readonly DocWalk[]) {
    this.#walks = walks
    this.#heads = []
    for (let index = 0; index < walks.length; index++) this.#heads.push((walks[index] as DocWalk).next())
  }

  next(): number {
    const heads = this.#heads
    let least = -1
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index] as number
      if (head >= 0 && (least < 0 || head < least)) least = head
    }
    if (least >= 0)
      for (let index = 0; index < heads.length; index++)
        if (heads[index] === least) heads[index] = (this.#walks[index] as DocWalk).next()
    return least
  }
}

/** The docs of any of the lists, from doc `first` on. */
export const unionWalk = (lists: readonly PostingList[], first: number, within?: Uint32Array): UnionWalk =>
  new UnionWalk(
    lists.filter(({ size }) => size > 0).map((list) => new DocWalk(list, first, noLists, undefined, within)),
  )
