import { plural } from '../../core/text.ts'
import { type PostingList, postingListOf, type TextIndex } from '../catalogue/build/prefix-postings.ts'
import { queriesFor } from '../catalogue/search/find-rows.ts'
import type { Keyword, Query } from '../catalogue/search/keyword.ts'
import { DocWalk } from '../catalogue/search/lists/doc-walk.ts'
import type { View } from '../catalogue/search/visible.ts'
import { typoRanges, type Vocabulary } from '../catalogue/search/vocabulary.ts'
import { isNumber, minTypoLetters } from '../rules/search-rank.ts'
import { trimPunctuation } from '../rules/tokenizer.ts'

/** Of a corrected word so many terms are looked at, and so many named. */
const maxTerms = 200
const maxNamedTerms = 5

type Lists = Readonly<Record<'exact' | 'isin' | 'symbols' | 'whole' | 'words', number>>
const kinds = ['exact', 'isin', 'symbols', 'whole', 'words'] as const

/** How each word of a search was read, in a sentence each, and then all together if a word matches nothing by itself.
 *  Counts only what the caller may see. */
export function wordSentences(view: View, text: string): string[] {
  const queries = queriesFor(view, text)
  const count = (listOf: (query: Query) => PostingList) =>
    view.snapshot.readers
      .map((reader, at) => countDocs(listOf(queries[at] as Query), reader.visibilityTo(view.access)))
      .reduce((sum, each) => sum + each, 0)
  const [symbols, names] = [count(({ exact }) => exact), count(({ names }) => names)]
  let isWhole = false
  const sentences = (queries[0]?.keywords ?? []).map(({ text: word, isCorrected }, at) => {
    const counts = Object.fromEntries(
      kinds.map((kind) => [kind, count(({ keywords }) => (keywords[at] as Keyword)[kind])]),
    ) as Lists
    if (isCorrected) return correctedSentence(view, word, counts.words)
    if (counts.symbols + counts.isin + counts.words > 0 || symbols + names === 0) return sentence(word, counts)
    isWhole = true
    return `${JSON.stringify(word)} matches nothing by itself.`
  })
  const whole = matches(Math.max(symbols, names))
  if (isWhole) return [...sentences, `As a whole, the keywords are a symbol or the start of a name: ${whole}.`]
  return sentences.length > 1 ? [...sentences, 'All words must match.'] : sentences
}

const matches = (count: number): string => plural(count, 'match').replace('matchs', 'matches')

function countDocs(list: PostingList, isVisible: (doc: number) => boolean): number {
  if (list.size === 0) return 0
  let count = 0
  const walk = new DocWalk(list)
  for (let doc = walk.next(); doc >= 0; doc = walk.next()) if (isVisible(doc)) count += 1
  return count
}

function sentence(word: string, { exact, isin, symbols, whole, words }: Lists): string {
  const quoted = JSON.stringify(word)
  if (symbols + isin + words === 0) {
    const reason = isNumber(word) ? 'It is a number' : `It has fewer than ${minTypoLetters} letters`
    return `${quoted} is not a symbol, an ISIN or the start of a word. ${reason}, so no typo is corrected.`
  }
  const ways = [
    [exact, 'the symbol'],
    [isin, 'the ISIN'],
    [symbols - exact, 'the start of a symbol'],
    [whole, 'a whole word'],
    [words - whole, 'the start of a word'],
  ] as const
  const used = ways.flatMap(([count, way]) => (count > 0 ? [`${way} of ${plural(count, 'instrument')}`] : []))
  const unused = [exact === 0 && 'a symbol', isin === 0 && 'an ISIN'].filter((each) => each !== false).join(' or ')
  return `${quoted} is ${used.join(' and ')}${unused === '' ? '' : `, but not ${unused}`}.`
}

function correctedSentence(view: View, word: string, count: number): string {
  const quoted = JSON.stringify(word)
  const start = `${quoted} is not a symbol or an ISIN; read as the start of a word: 0`
  if (count === 0) return `${start}; with one typo corrected: 0.`
  return `${start}; read as a typo of ${correctedTo(view, word).join(', ')}: ${matches(count)}.`
}

/** What a word with a typo was read as: words and symbols of what the caller may see. */
function correctedTo(view: View, word: string): string[] {
  const found = new Set<string>()
  for (const reader of view.snapshot.readers) {
    const isVisible = reader.visibilityTo(view.access)
    const { symbols, words } = reader.segment
    const add = (index: TextIndex, text: string, nameOf: (term: string) => string) => {
      for (const term of termsIn(index.vocabulary, text)) {
        if (found.size >= maxNamedTerms) return
        if (countDocs(postingListOf(index, [term, term + 1]), isVisible) > 0)
          found.add(nameOf(termText(index.vocabulary, term)))
      }
    }
    add(symbols, word, (symbol) => (symbol.split(':')[0] ?? symbol).toUpperCase())
    add(words, trimPunctuation(word), (term) => term)
  }
  return [...found]
}

function termsIn(vocabulary: Vocabulary, word: string): number[] {
  const terms: number[] = []
  for (const [low, high] of typoRanges(vocabulary, word))
    for (let term = low; term < high && terms.length < maxTerms; term++) terms.push(term)
  return terms
}

const termText = ({ units, starts }: Vocabulary, term: number): string =>
  String.fromCharCode(...units.subarray(starts[term], starts[term + 1]))
