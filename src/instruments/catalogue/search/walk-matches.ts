import { matchClass } from '../../rules/search-rank.ts'
import { listOf, type PostingList } from '../build/prefix-postings.ts'
import { type ClassRule, ClassTest, WholeTest } from './class-rule.ts'
import { type Keyword, outsidePhrase, type Query, sizeOfLists } from './keyword.ts'
import { type DocSource, DocWalk, intersection, UnionWalk, unionWalk } from './lists/doc-walk.ts'
import { Scratch } from './lists/scratch.ts'
import { classOfRow } from './row-match.ts'
import type { RowTaker } from './row-taker.ts'
import { shortListOf } from './walk-listing.ts'

/** Up to this many docs are tested one by one; the lists of more are intersected. */
const maxTested = 16

const none: readonly never[] = []

/** Takes the rows that match all words, class by class from `from` on, each in the order of the docs. */
export function walkMatches(taker: RowTaker, query: Query, from: number): void {
  const { segment, filter } = taker
  const lists = query.keywords.length === 1 ? undefined : listsOfSeveral(query.keywords)
  const short = shortListOf(segment, filter)
  const isUniform = segment.docDiffers.length === 0
  let shortList: PostingList | undefined
  const scratch = lists && new Scratch(segment.docIds.length)
  for (let wanted = from; wanted <= matchClass.wordPrefix && !taker.isFull; wanted++) {
    const rule = lists ? ruleForSeveral(query, lists, wanted) : ruleForOne(query, wanted, isUniform)
    if (!rule) continue
    const size = sizeOfLists(rule.anyOf)
    if (short && short.max < size) {
      shortList ??= listOf(short.make())
      const source = new DocWalk(shortList, taker.firstDocOf(wanted))
      walkClass(source, new ClassTest(rule, false, scratch), wanted, taker, query)
    } else if (lists && scratch && wanted === matchClass.wholeWords && taker.isFromStart) {
      walkDescriptions(query, lists, taker, scratch)
      break
    } else walkLists(rule, query, wanted, taker, scratch)
  }
  scratch?.release()
}

/** Walks the last two classes at once: the docs with all words in their descriptions, whole words first. Once there are
 *  enough of the others, only whole words are walked. */
function walkDescriptions(query: Query, lists: ListsOfSeveral, taker: RowTaker, scratch: Scratch): void {
  const { segment, filter } = taker
  const differs = segment.docDiffers.length > 0 ? segment.docDiffers : undefined
  const rule = ruleForSeveral(query, lists, matchClass.wordPrefix) as ClassRule
  const source = new DocWalk(rule.anyOf[0] as PostingList, 0, rule.allOf, scratch, filter.mainDocs)
  const test = new ClassTest(rule, true, scratch, false)
  const wholeTest = new WholeTest(query.keywords, scratch)
  const prefixes = taker.another()
  let doc = source.next()
  for (; doc >= 0 && !taker.isFull && !prefixes.isFull; doc = source.next()) {
    if (differs && differs[doc] === 1) {
      taker.take(doc, matchClass.wholeWords, (row) => classOfRow(segment, row, query) === matchClass.wholeWords)
      prefixes.take(doc, matchClass.wordPrefix, (row) => classOfRow(segment, row, query) === matchClass.wordPrefix)
    } else if (test.accepts(doc)) {
      if (wholeTest.accepts(doc)) taker.take(doc, matchClass.wholeWords)
      else prefixes.take(doc, matchClass.wordPrefix)
    }
  }
  if (doc >= 0 && !taker.isFull) {
    const whole = ruleForSeveral(query, lists, matchClass.wholeWords) as ClassRule
    const rest = new DocWalk(whole.anyOf[0] as PostingList, doc, whole.allOf, scratch, filter.mainDocs)
    walkClass(rest, new ClassTest(whole, true, scratch), matchClass.wholeWords, taker, query)
  }
  taker.append(prefixes)
}

function walkLists(rule: ClassRule, query: Query, wanted: number, taker: RowTaker, scratch: Scratch | undefined): void {
  const first = taker.firstDocOf(wanted)
  const { mainDocs } = taker.filter
  // Nothing more must match, so nearly every doc of the one list is taken; names need not have every word.
  if (!scratch || rule.matching.length === 0 || wanted === matchClass.nameStart) {
    const source = new DocWalk(rule.anyOf[0] as PostingList, first, rule.allOf, scratch, mainDocs)
    walkClass(source, new ClassTest(rule, true, scratch), wanted, taker, query)
    return
  }
  const size = sizeOfLists(rule.anyOf)
  const pair = size > maxTested ? pairWalk(query, wanted, first, scratch, mainDocs) : undefined
  const rarest = pair ? none : rarestOf(query.keywords)
  const isRarer = pair !== undefined || sizeOfLists(rarest) < size
  const source = pair ?? unionWalk(isRarer ? rarest : rule.anyOf, first, mainDocs)
  walkClass(source, new ClassTest(rule, !isRarer, scratch), wanted, taker, query)
}

/** The docs that two words match, those of the second by their symbol if the class is that of symbols. Undefined if
 *  there are other words, or an ISIN. */
function pairWalk(
  { keywords }: Query,
  wanted: number,
  first: number,
  scratch: Scratch,
  within?: Uint32Array,
): DocSource | undefined {
  const [one, other, third] = keywords as [Keyword, Keyword, Keyword?]
  if (third || one.isin.size > 0 || other.isin.size > 0) return undefined
  const walks = [
    ...intersection(one.symbols, other.words, first, scratch, within),
    ...intersection(other.symbols, one.words, first, scratch, within),
    ...intersection(one.symbols, other.symbols, first, scratch, within),
    ...(wanted === matchClass.symbolPrefix ? none : intersection(one.words, other.words, first, scratch, within)),
  ]
  return new UnionWalk(walks)
}

function walkClass(source: DocSource, test: ClassTest, wanted: number, taker: RowTaker, query: Query): void {
  const { segment } = taker
  const differs = segment.docDiffers.length > 0 ? segment.docDiffers : undefined
  for (let doc = source.next(); doc >= 0; doc = source.next()) {
    if (differs && differs[doc] === 1) {
      taker.take(doc, wanted, (row) => classOfRow(segment, row, query) === wanted)
    } else if (test.accepts(doc)) taker.take(doc, wanted)
    if (taker.isFull) return
  }
}

/** Undefined if no doc is in the lists. */
function ruleOf(
  anyOf: readonly PostingList[],
  noneOf: readonly PostingList[],
  matching: readonly Keyword[] = none,
): ClassRule | undefined {
  return sizeOfLists(anyOf) === 0 ? undefined : { anyOf, allOf: none, noneOf, matching, notAllWhole: none }
}

/** `isUniform`: all rows of a doc have the same names. Then a list that is part of another one and has as many docs is that list, and
 *  nothing is left to be found in it. */
function ruleForOne(query: Query, wanted: number, isUniform: boolean): ClassRule | undefined {
  const { keywords, exact, names } = query
  const { isin, symbols, whole, words } = keywords[0] as Keyword
  if (wanted === matchClass.exactSymbol) return ruleOf([exact], none)
  if (wanted === matchClass.isin) return ruleOf([isin], [exact])
  if (wanted === matchClass.nameStart) return ruleOf([names], [exact, isin], outsidePhrase(query))
  if (wanted === matchClass.symbolPrefix) return ruleOf([symbols], [exact, isin, names])
  if (wanted === matchClass.wholeWords) return ruleOf([whole], [exact, symbols, isin, names])
  return isUniform && whole.size === words.size ? undefined : ruleOf([words], [whole, exact, symbols, isin, names])
}

/** The lists of several words that are not empty, by kind. */
type ListsOfSeveral = Readonly<{
  isins: readonly PostingList[]
  symbols: readonly PostingList[]
  /** Of one word each, the shortest first; undefined if a word has none. */
  whole: readonly PostingList[] | undefined
  words: readonly PostingList[] | undefined
}>

function listsOfSeveral(keywords: readonly Keyword[]): ListsOfSeveral {
  const isins: PostingList[] = []
  const symbols: PostingList[] = []
  const whole: PostingList[] = []
  const words: PostingList[] = []
  for (let index = 0; index < keywords.length; index++) {
    const keyword = keywords[index] as Keyword
    if (keyword.isin.size > 0) isins.push(keyword.isin)
    if (keyword.symbols.size > 0) symbols.push(keyword.symbols)
    if (keyword.whole.size > 0) insertBySize(whole, keyword.whole)
    if (keyword.words.size > 0) insertBySize(words, keyword.words)
  }
  const { length } = keywords
  return {
    isins,
    symbols,
    whole: whole.length === length ? whole : undefined,
    words: words.length === length ? words : undefined,
  }
}

/** There are so few that the built-in sort takes longer. */
function insertBySize(lists: PostingList[], list: PostingList): void {
  let at = lists.push(list) - 1
  for (; at > 0 && (lists[at - 1] as PostingList).size > list.size; at--) lists[at] = lists[at - 1] as PostingList
  lists[at] = list
}

/** Undefined if no doc is in the class. Among several words a symbol is often just a word, and exact only with its exchange. */
function ruleForSeveral(query: Query, lists: ListsOfSeveral, wanted: number): ClassRule | undefined {
  const { keywords, exact, names } = query
  const { isins, symbols } = lists
  if (wanted === matchClass.exactSymbol) return ruleOf([exact], none)
  if (wanted === matchClass.isin) return ruleOf(isins, [exact], keywords)
  if (wanted === matchClass.nameStart)
    return names.size === 0 ? undefined : ruleOf([names], [exact, ...isins], outsidePhrase(query))
  if (wanted === matchClass.symbolPrefix) return ruleOf(symbols, [exact, names, ...isins], keywords)
  const isWhole = wanted === matchClass.wholeWords
  const ofWords = isWhole ? lists.whole : lists.words
  if (!ofWords) return undefined
  return {
    anyOf: ofWords.slice(0, 1),
    allOf: ofWords.slice(1),
    noneOf: [exact, names, ...symbols, ...isins],
    matching: none,
    notAllWhole: isWhole ? none : keywords,
  }
}

/** The lists of the word that matches the fewest docs. */
function rarestOf(keywords: readonly Keyword[]): readonly PostingList[] {
  const all = keywords.map(({ isin, symbols, words }) => [isin, symbols, words])
  return all.reduce((best, lists) => (sizeOfLists(lists) < sizeOfLists(best) ? lists : best))
}
