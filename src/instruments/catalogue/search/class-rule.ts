import type { PostingList } from '../build/prefix-postings.ts'
import type { Keyword } from './keyword.ts'
import { allHave, anyHas, cursorsOf, type PostingCursor } from './lists/posting-cursor.ts'
import type { Scratch } from './lists/scratch.ts'

/** What decides whether a doc is in a class. */
export type ClassRule = Readonly<{
  /** It is in one of these lists, */
  anyOf: readonly PostingList[]
  /** and in all of these, */
  allOf: readonly PostingList[]
  /** and in none of these, whose class is better. */
  noneOf: readonly PostingList[]
  /** Each of these words matches it in some way. */
  matching: readonly Keyword[]
  /** Not all of these words are whole words of it. */
  notAllWhole: readonly Keyword[]
}>

const none: readonly never[] = []

/** Tests docs in ascending order for a class, so each walk needs its own. `isWalked` if the docs are those that are in
 *  the lists of the rule; `testsWhole` is false if the caller tests whole words itself. */
export class ClassTest {
  readonly #anyOf: readonly PostingCursor[]
  readonly #allOf: readonly PostingCursor[]
  readonly #noneOf: readonly PostingCursor[]
  readonly #matching: readonly (readonly PostingCursor[])[]
  readonly #isWhole: WholeTest | undefined

  constructor(
    { anyOf, allOf, noneOf, matching, notAllWhole }: ClassRule,
    isWalked: boolean,
    scratch?: Scratch,
    testsWhole = true,
  ) {
    this.#anyOf = isWalked ? none : cursorsOf(anyOf, scratch)
    this.#allOf = isWalked ? none : cursorsOf(allOf, scratch)
    this.#noneOf = cursorsOf(noneOf, scratch)
    this.#matching =
      matching.length === 0
        ? none
        : matching.map(({ words, symbols, isin }) => cursorsOf([words, symbols, isin], scratch))
    this.#isWhole = testsWhole && notAllWhole.length > 0 ? new WholeTest(notAllWhole, scratch) : undefined
  }

  accepts(doc: number): boolean {
    if (this.#anyOf.length > 0 && !anyHas(this.#anyOf, doc)) return false
    if (!allHave(this.#allOf, doc)) return false
    for (let index = 0; index < this.#matching.length; index++)
      if (!anyHas(this.#matching[index] as PostingCursor[], doc)) return false
    return !anyHas(this.#noneOf, doc) && !this.#isWhole?.accepts(doc)
  }
}

/** Tests docs in ascending order: whether all words are whole words of their descriptions. */
export class WholeTest {
  readonly #whole: readonly PostingCursor[]
  readonly isPossible: boolean

  constructor(keywords: readonly Keyword[], scratch?: Scratch) {
    this.isPossible = keywords.every(({ whole }) => whole.size > 0)
    const lists = keywords.map(({ whole }) => whole)
    this.#whole = this.isPossible ? cursorsOf(lists, scratch) : none
  }

  accepts(doc: number): boolean {
    return this.isPossible && allHave(this.#whole, doc)
  }
}
