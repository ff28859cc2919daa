import type { Chapter, Document, Section } from './markdown.ts'

export type Found = Readonly<{ document: Document; chapter: Chapter; section: Section; excerpt: Excerpt }>
/** A text with the words that were found, in turn: plain, found, plain, … */
type Excerpt = readonly string[]

const maxFound = 30
const maxWords = 8
const around = 90

/** The sections that have all words, those with the words in their title first. */
export function searchDocuments(documents: readonly Document[], query: string): Found[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = documents.flatMap((document) =>
    document.chapters.flatMap((chapter) =>
      chapter.sections.flatMap((section) => {
        const score = scoreOf(section, words)
        return score === 0 ? [] : [{ document, chapter, section, score }]
      }),
    ),
  )
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ document, chapter, section }) => ({ document, chapter, section, excerpt: excerptOf(section, words) }))
}

export const wordsOf = (query: string): string[] =>
  [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, maxWords)

const maxTimes = 9

/** Zero unless every word occurs. A word in the title counts most, and a higher heading before a lower one. */
function scoreOf({ lower, depth }: Section, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const isInTitle = lower.title.includes(word)
    const times = timesIn(lower.text, word)
    if (!isInTitle && times === 0) return 0
    score += (isInTitle ? 100 : 0) + times
  }
  return score + 1 / depth
}

function timesIn(text: string, word: string): number {
  let times = 0
  for (let at = text.indexOf(word); at >= 0 && times < maxTimes; at = text.indexOf(word, at + word.length)) times += 1
  return times
}

/** The surroundings of the first word in the text. */
function excerptOf({ text, lower }: Section, words: readonly string[]): Excerpt {
  const places = words.map((word) => lower.text.indexOf(word)).filter((place) => place >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first <= around ? 0 : text.lastIndexOf(' ', first - around) + 1
  const next = text.indexOf(' ', first + around)
  const part = text.slice(start, next < 0 ? undefined : next)
  const pattern = new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'i')
  const pieces = part.split(new RegExp(pattern.source, 'gi'))
  const before = start > 0 ? '… ' : ''
  const after = next < 0 ? '' : ' …'
  return pieces.map((piece, at) => `${at === 0 ? before : ''}${piece}${at === pieces.length - 1 ? after : ''}`)
}
