import { emptyRun, type Run, runOf } from '../build/prefix-lists.ts'
import type { Segment } from '../segment.ts'
import { trimWord } from './fold.ts'
import { exactRange, prefixRange, type Range, typoRanges } from './vocabulary.ts'

/** How well a doc matches, best first (contract §6); `none` is behind all. */
export const matchClass = { exactSymbol: 0, isin: 1, symbolPrefix: 2, descriptionWord: 3, none: 9 } as const

/** One word of a search in one segment: the docs that it matches, and how. */
export type Keyword = Readonly<{
  text: string
  exact: readonly Run[]
  isin: Run
  symbols: Run
  terms: Run
  /** The docs that are meant when the word has one slip; only where it matches nothing as it stands. */
  typos: readonly Run[] | undefined
}>

const symbolRun = (segment: Segment, range: Range): Run => runOf(segment.symbolPostings, segment.symbolLists, range)
const termRun = (segment: Segment, range: Range): Run => runOf(segment.termPostings, segment.termLists, range)
const isinLength = 12

export function findKeyword(segment: Segment, word: string): Keyword {
  const range = prefixRange(segment.symbols, word)
  return {
    text: word,
    exact: range[0] < range[1] ? exactRange(segment.symbols, word, range).map((each) => symbolRun(segment, each)) : [],
    isin: isinRun(segment, word),
    symbols: symbolRun(segment, range),
    terms: termRun(segment, prefixRange(segment.terms, trimWord(word))),
    typos: undefined,
  }
}

/** An ISIN is found by the whole of it. */
function isinRun({ isins, isinPostings: { starts, docs } }: Segment, word: string): Run {
  if (word.length !== isinLength) return emptyRun
  const [low, high] = prefixRange(isins, word)
  return low < high ? { docs, from: starts[low] as number, to: starts[high] as number } : emptyRun
}

/** Whether a word matches anything as it stands, of what can be seen at all. */
export function matchesAny({ isin, symbols, terms }: Keyword, isSeen: (doc: number) => boolean): boolean {
  for (const { docs, from, to } of [symbols, terms, isin])
    for (let at = from; at < to; at++) if (isSeen(docs[at] as number)) return true
  return false
}

/** The word with one slip mended, for a word of at least four letters that matches nothing (contract §6). */
export function findTypos(segment: Segment, word: string): Keyword {
  const runs = [
    ...typoRanges(segment.terms, trimWord(word)).map((range) => termRun(segment, range)),
    ...typoRanges(segment.symbols, word).map((range) => symbolRun(segment, range)),
  ]
  return { text: word, exact: [], isin: emptyRun, symbols: emptyRun, terms: emptyRun, typos: runs }
}

/** All docs that a word can match in a class, as ascending runs; some of them may belong to a better class. */
export function runsOf(word: Keyword, wanted: number): readonly Run[] {
  if (wanted === matchClass.exactSymbol) return word.exact
  if (wanted === matchClass.isin) return [word.isin]
  if (wanted === matchClass.symbolPrefix) return [word.symbols]
  // A mended word is never better than a word of the description: what was meant is a guess.
  return word.typos ?? [word.terms]
}

/** Everything that a word matches. */
export const allRuns = (word: Keyword): readonly Run[] => word.typos ?? [word.isin, word.symbols, word.terms]

export const sizeOfRuns = (runs: readonly Run[]): number => runs.reduce((sum, { from, to }) => sum + to - from, 0)
