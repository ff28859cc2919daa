import { matchClass } from '../../rules/search-rank.ts'
import { listOf, type PostingList } from '../build/prefix-postings.ts'
import { type ClassRule, ClassTest, WholeTest } from './class-rule.ts'
import { type Keyword, type Query, sizeOfLists } from './keyword.ts'
import { type DocSource, DocWalk, intersection, UnionWalk, unionWalk } from './lists/doc-walk.ts'
import { Scratch } from './lists/scratch.ts'
import { classOfRow } from './row-match.ts'
import type { RowTaker } from './row-taker.ts'
import { shortListOf } from './walk-listing.ts'

/** Up to this many docs are tested one by one; the lists of more are intersected. */
const maxTested = 256

const none: readonly never[] = []

/** Takes the rows that match all words, class by class from `from` on, each in the order of the docs. */
export function walkMatches(taker: RowTaker, query: Query, from: number): void {
  const { segment, filter } = taker
  const isOneWord = query.keywords.length === 1
  const short = shortListOf(segment, filter)
  let shortList: PostingList | undefined
  const scratch = isOneWord ? undefined : new Scratch(segment.docIds.length)
  for (let wanted = from; wanted <= matchClass.wordPrefix && !taker.isFull; wanted++) {
    const rule = isOneWord ? ruleForOne(query, wanted) : ruleForSeveral(query, wanted)
    const size = rule ? sizeOfLists(rule.anyOf) : 0
    if (!rule || size === 0) continue
    if (short && short.max < size) {
      shortList ??= listOf(short.make())
      const source = new DocWalk(shortList, taker.firstDocOf(wanted))
      walkClass(source, new ClassTest(rule, false, scratch), wanted, taker, query)
    } else if (scratch && wanted === matchClass.wholeWords && taker.isFromStart) {
      walkDescriptions(query, taker, scratch)
      break
    } else walkLists(rule, query, wanted, taker, scratch)
  }
  scratch?.release()
}

/** Walks the last two classes at once: the docs with all words in their descriptions, whole words first. Once there are
 *  enough of the others, only whole words are walked. */
function walkDescriptions(query: Query, taker: RowTaker, scratch: Scratch): void {
  const { segment } = taker
  const differs = segment.docDiffers.length > 0 ? segment.docDiffers : undefined
  const rule = ruleForSeveral(query, matchClass.wordPrefix) as ClassRule
  const source = new DocWalk(rule.anyOf[0] as PostingList, 0, rule.allOf, scratch)
  const test = new ClassTest({ ...rule, notAllWhole: none }, true, scratch)
  const wholeTest = new WholeTest(query.keywords, scratch)
  const prefixes = taker.another()
  let doc = source.next()
  for (; doc >= 0 && !taker.isFull && !prefixes.isFull; doc = source.next()) {
    if (taker.excludes(doc)) continue
    if (differs && differs[doc] === 1) {
      taker.take(doc, matchClass.wholeWords, (row) => classOfRow(segment, row, query) === matchClass.wholeWords)
      prefixes.take(doc, matchClass.wordPrefix, (row) => classOfRow(segment, row, query) === matchClass.wordPrefix)
    } else if (test.accepts(doc)) {
      if (wholeTest.accepts(doc)) taker.take(doc, matchClass.wholeWords)
      else prefixes.take(doc, matchClass.wordPrefix)
    }
  }
  if (doc >= 0 && !taker.isFull) {
    const whole = ruleForSeveral(query, matchClass.wholeWords) as ClassRule
    const rest = new DocWalk(whole.anyOf[0] as PostingList, doc, whole.allOf, scratch)
    walkClass(rest, new ClassTest(whole, true, scratch), matchClass.wholeWords, taker, query)
  }
  taker.append(prefixes)
}

function walkLists(rule: ClassRule, query: Query, wanted: number, taker: RowTaker, scratch: Scratch | undefined): void {
  const first = taker.firstDocOf(wanted)
  // Nothing more must match, so nearly every doc of the one list is taken.
  if (!scratch || rule.matching.length === 0) {
    const source = new DocWalk(rule.anyOf[0] as PostingList, first, rule.allOf, scratch)
    walkClass(source, new ClassTest(rule, true, scratch), wanted, taker, query)
    return
  }
  const size = sizeOfLists(rule.anyOf)
  const pair = size > maxTested ? pairWalk(query, wanted, first, scratch) : undefined
  const rarest = pair ? none : rarestOf(query.keywords)
  const isRarer = pair !== undefined || sizeOfLists(rarest) < size
  const source = pair ?? unionWalk(isRarer ? rarest : rule.anyOf, first)
  walkClass(source, new ClassTest(rule, !isRarer, scratch), wanted, taker, query)
}

/** The docs that two words match, those of the second by their symbol if the class is that of symbols. Undefined if
 *  there are other words, or an ISIN. */
function pairWalk({ keywords }: Query, wanted: number, first: number, scratch: Scratch): DocSource | undefined {
  const [one, other, third] = keywords as [Keyword, Keyword, Keyword?]
  if (third || one.isin.size > 0 || other.isin.size > 0) return undefined
  const walks = [
    ...intersection(one.symbols, other.words, first, scratch),
    ...intersection(other.symbols, one.words, first, scratch),
    ...intersection(one.symbols, other.symbols, first, scratch),
    ...(wanted === matchClass.symbolPrefix ? none : intersection(one.words, other.words, first, scratch)),
  ]
  return new UnionWalk(walks)
}

function walkClass(source: DocSource, test: ClassTest, wanted: number, taker: RowTaker, query: Query): void {
  const { segment } = taker
  const differs = segment.docDiffers.length > 0 ? segment.docDiffers : undefined
  // With one word most docs match, so the filter decides; with several words the match decides.
  const isOneWord = query.keywords.length === 1
  for (let doc = source.next(); doc >= 0; doc = source.next()) {
    if (isOneWord && taker.excludes(doc)) continue
    if (differs && differs[doc] === 1) taker.take(doc, wanted, (row) => classOfRow(segment, row, query) === wanted)
    else if (test.accepts(doc)) taker.take(doc, wanted)
    if (taker.isFull) return
  }
}

const ruleOf = (
  anyOf: readonly PostingList[],
  noneOf: readonly PostingList[],
  matching: readonly Keyword[] = none,
): ClassRule => ({
  anyOf,
  allOf: none,
  noneOf,
  matching,
  notAllWhole: none,
})

/** The words that a name may lack although it begins with the phrase: legal forms and the like are no part of it. */
const outsidePhrase = ({ keywords, phrase }: Query): readonly Keyword[] =>
  keywords.filter(({ trimmed }) => !phrase.includes(trimmed))

function ruleForOne(query: Query, wanted: number): ClassRule {
  const { keywords, names } = query
  const { exact, isin, symbols, whole, words } = keywords[0] as Keyword
  if (wanted === matchClass.exactSymbol) return ruleOf([exact], none)
  if (wanted === matchClass.isin) return ruleOf([isin], [exact])
  if (wanted === matchClass.nameStart) return ruleOf([names], [exact, isin], outsidePhrase(query))
  if (wanted === matchClass.symbolPrefix) return ruleOf([symbols], [exact, isin, names])
  if (wanted === matchClass.wholeWords) return ruleOf([whole], [symbols, isin, names])
  return ruleOf([words], [whole, symbols, isin, names])
}

/** Among several words a symbol is often just a word, so there is no class of exact symbols. */
function ruleForSeveral(query: Query, wanted: number): ClassRule | undefined {
  const { keywords, names } = query
  if (wanted === matchClass.exactSymbol) return undefined
  const isins = listsOf(keywords, 'isin')
  if (wanted === matchClass.isin) return ruleOf(isins, none, keywords)
  if (wanted === matchClass.nameStart) return ruleOf([names], isins, outsidePhrase(query))
  const symbols = listsOf(keywords, 'symbols')
  if (wanted === matchClass.symbolPrefix) return ruleOf(symbols, [names, ...isins], keywords)
  const isWhole = wanted === matchClass.wholeWords
  const lists = listsOf(keywords, isWhole ? 'whole' : 'words')
  if (lists.length < keywords.length) return undefined
  const [shortest, ...others] = lists.sort((one, other) => one.size - other.size)
  return {
    anyOf: [shortest as PostingList],
    allOf: others,
    noneOf: [names, ...symbols, ...isins],
    matching: none,
    notAllWhole: isWhole ? none : keywords,
  }
}

/** The lists of one kind that are not empty. */
function listsOf(keywords: readonly Keyword[], kind: 'isin' | 'symbols' | 'whole' | 'words'): PostingList[] {
  const lists: PostingList[] = []
  for (let index = 0; index < keywords.length; index++) {
    const list = (keywords[index] as Keyword)[kind]
    if (list.size > 0) lists.push(list)
  }
  return lists
}

/** The lists of the word that matches the fewest docs. */
function rarestOf(keywords: readonly Keyword[]): readonly PostingList[] {
  const all = keywords.map(({ isin, symbols, words }) => [isin, symbols, words])
  return all.reduce((best, lists) => (sizeOfLists(lists) < sizeOfLists(best) ? lists : best))
}
