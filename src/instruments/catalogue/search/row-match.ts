import { lowerBound } from '../arrays.ts'
import { namesOfRow, type Segment } from '../segment.ts'
import { type Keyword, matchClass } from './keyword.ts'
import { fold, tokenize, trimPunctuation } from './tokenizer.ts'

/** Whether the text has the word as a prefix after one typo is corrected. The typo is where the two first differ. */
function matchesWithTypo(text: string, word: string): boolean {
  let at = 0
  while (at < word.length && text[at] === word[at]) at++
  const [rest, afterNext] = [word.slice(at), word.slice(at + 1)]
  return (
    text.startsWith(afterNext, at) ||
    text.startsWith(rest, at + 1) ||
    (at < text.length && text.startsWith(afterNext, at + 1)) ||
    (rest.length > 1 && text.startsWith(`${rest[1]}${rest[0]}${rest.slice(2)}`, at))
  )
}

function classOfWord(symbol: string, terms: readonly string[], hasIsin: boolean, { text, typos }: Keyword): number {
  const word = trimPunctuation(text)
  if (typos) {
    const isMatch = matchesWithTypo(symbol, text) || terms.some((term) => matchesWithTypo(term, word))
    return isMatch ? matchClass.descriptionWord : matchClass.none
  }
  if (symbol === text || (!text.includes(':') && symbol.startsWith(`${text}:`))) return matchClass.exactSymbol
  if (hasIsin) return matchClass.isin
  if (symbol.startsWith(text)) return matchClass.symbolPrefix
  return terms.some((term) => term.startsWith(word)) ? matchClass.descriptionWord : matchClass.none
}

/** How a row itself matches. For instruments whose rows differ in symbol or description, which the index mixes. */
export function classOfRow(segment: Segment, row: number, words: readonly Keyword[]): number {
  const { Symbol, Description } = namesOfRow(segment, row)
  const [symbol, terms] = [fold(Symbol), tokenize(Description)]
  const doc = segment.rowDocs[row] as number
  let best: number = matchClass.none
  for (const word of words) {
    const { docs, from, to } = word.isin
    const at = lowerBound(docs, doc, from, to)
    const reached = classOfWord(symbol, terms, at < to && docs[at] === doc, word)
    if (reached === matchClass.none) return matchClass.none
    best = Math.min(best, reached)
  }
  return best
}
