import { lowerBound } from '../arrays.ts'
import type { Segment } from '../segment.ts'
import { namesOfRow } from '../write/contract-writer.ts'
import { type Keyword, matchClass } from './keyword.ts'
import { fold, tokenize, trimPunctuation } from './tokenizer.ts'

/** Whether a text begins with the word after one slip is mended. Up to the slip both are alike, so it is where they reader. */
function isOneSlipFrom(text: string, word: string): boolean {
  let at = 0
  while (at < word.length && text[at] === word[at]) at++
  const [rest, behind] = [word.slice(at), word.slice(at + 1)]
  return (
    text.startsWith(behind, at) ||
    text.startsWith(rest, at + 1) ||
    (at < text.length && text.startsWith(behind, at + 1)) ||
    (rest.length > 1 && text.startsWith(`${rest[1]}${rest[0]}${rest.slice(2)}`, at))
  )
}

function classOfWord(symbol: string, description: readonly string[], hasIsin: boolean, word: Keyword): number {
  const { text, typos } = word
  if (typos) {
    const isMeant =
      isOneSlipFrom(symbol, text) || description.some((each) => isOneSlipFrom(each, trimPunctuation(text)))
    return isMeant ? matchClass.descriptionWord : matchClass.none
  }
  if (symbol === text || (!text.includes(':') && symbol.startsWith(`${text}:`))) return matchClass.exactSymbol
  if (hasIsin) return matchClass.isin
  if (symbol.startsWith(text)) return matchClass.symbolPrefix
  return description.some((each) => each.startsWith(trimPunctuation(text)))
    ? matchClass.descriptionWord
    : matchClass.none
}

/** How a row matches by what it says itself. For instruments that are called differently in their asset types; the index
 *  has the words of all of them together. */
export function classOfRow(segment: Segment, row: number, words: readonly Keyword[]): number {
  const names = namesOfRow({ segment }, row)
  const [symbol, description] = [fold(names.Symbol), tokenize(names.Description)]
  const doc = segment.rowDocs[row] as number
  let best: number = matchClass.none
  for (const word of words) {
    const { docs, from, to } = word.isin
    const place = lowerBound(docs, doc, from, to)
    const reached = classOfWord(symbol, description, place < to && docs[place] === doc, word)
    if (reached === matchClass.none) return matchClass.none
    best = Math.min(best, reached)
  }
  return best
}
