import { joinedStarts, nameSpellings, spelledSymbol, symbolSpellings, symbolsAtVenue } from './spellings.ts'
import { fold, isPlainWord, splitWords, tokenize, trimPunctuation } from './tokenizer.ts'

/** How well a row matches, best first (§6.1). */
export const matchClass = {
  exactSymbol: 0,
  isin: 1,
  nameStart: 2,
  symbolPrefix: 3,
  wholeWords: 4,
  wordPrefix: 5,
  none: 9,
} as const

/** Names are compared up to this many words; longer keywords begin no name. */
export const maxNameWords = 6

/** By length, because looking up a new text in a set takes longer than comparing it with a few. */
const legalForms = Map.groupBy(
  `ab ag as asa bv co company corp corporation gmbh inc incorporated kgaa limited llc llp lp ltd nv oy oyj plc pte pty
  sa sab sarl se spa`.split(/\s+/),
  ({ length }) => length,
)
const isLegalForm = (word: string): boolean => legalForms.get(word.length)?.includes(word) ?? false

/** The words by which names are compared: without legal forms, "and" and a leading "the". The first word stays. */
export const nameWords = (text: string): string[] => foldedNameWords(fold(text))

/** The same of a folded text. */
export function foldedNameWords(folded: string): string[] {
  if (isPlainWord(folded)) return folded === 'and' ? [] : [folded]
  const words = splitWords(folded).filter((word) => word !== 'and')
  const named = words[0] === 'the' && words.length > 1 ? words.slice(1) : words
  return named.filter((word, index) => index === 0 || !isLegalForm(word))
}

/** Whether a name begins with the words of a search, both as `nameWords` returns them. */
export function beginsWith(name: readonly string[], words: readonly string[]): boolean {
  if (words.length === 0 || words.length > maxNameWords) return false
  return words.every((word, index) => name[index] === word)
}

/** An alias in capitals and digits, such as SPX, is also a symbol. */
export const isSymbolAlias = (alias: string): boolean => /^[A-Z0-9]+$/.test(alias)

/** What a row is found by. */
export type Searchable = Readonly<{
  symbols: readonly string[]
  terms: readonly string[]
  names: readonly (readonly string[])[]
}>

export function searchableOf(symbol: string, description: string, aliases: readonly string[]): Searchable {
  const names = [...nameSpellings(symbol, description), ...aliases]
  return {
    symbols: [...symbolSpellings(symbol), ...aliases.filter(isSymbolAlias).map(fold)],
    terms: [...new Set(names.flatMap(tokenize))],
    names: names.map(nameWords),
  }
}

/** A keyword, and whether it matches nothing as typed and is therefore corrected by one typo. */
export type SearchWord = Readonly<{ text: string; isCorrected: boolean; isIsin: boolean }>

/** The ways to read the keywords as a whole. */
export type Reading = Readonly<{
  /** The words as a name has them. */
  phrase: readonly string[]
  /** The symbol they spell with blanks or punctuation; empty if there is none. */
  spelled: string
  /** The symbols they name with an exchange or a country. */
  atVenue: readonly string[]
}>

export const readingOf = (folded: string): Reading => ({
  phrase: foldedNameWords(folded),
  spelled: spelledSymbol(folded),
  atVenue: symbolsAtVenue(folded),
})

/** Whether a keyword is part of a phrase. Legal forms, "and" and a leading "the" are not. */
export function isInPhrase(word: string, phrase: readonly string[]): boolean {
  const pieces = splitWords(word)
  return pieces.length > 0 && pieces.every((piece) => phrase.includes(piece))
}

export const minTypoLetters = 4
export const isNumber = (word: string): boolean => /^\d+$/.test(word)

/** Whether a word is corrected if it matches nothing. A number one digit off is another number. */
export const mayBeTypo = (word: string): boolean =>
  !isNumber(word) &&
  (word.length >= 2 * minTypoLetters || (word.length >= minTypoLetters && [...word].length >= minTypoLetters))

/** The class of a row: the best that any word reaches, unless a word does not match at all. */
export function classOf(row: Searchable, words: readonly SearchWord[], reading: Reading): number {
  const classes = words.map((word) => classOfWord(row, word, words.length === 1))
  const [best, worst] = [Math.min(...classes), Math.max(...classes)]
  const isAsTyped = !words.some(({ isCorrected }) => isCorrected)
  if (isAsTyped && reading.atVenue.some((symbol) => row.symbols.includes(symbol))) return matchClass.exactSymbol
  if (worst !== matchClass.none && best <= matchClass.isin) return best
  const isOutside = (index: number) => !isInPhrase((words[index] as SearchWord).text, reading.phrase)
  const lacksOutside = classes.some((each, index) => each === matchClass.none && isOutside(index))
  if (isAsTyped && !lacksOutside && beginsAsRead(row, reading)) return matchClass.nameStart
  if (worst === matchClass.none) return worst
  return best === matchClass.symbolPrefix ? best : worst
}

/** Whether a name begins with the words, blanks and punctuation aside, or the symbol is spelled so. */
function beginsAsRead({ names, symbols }: Searchable, { phrase, spelled }: Reading): boolean {
  const joined = phrase.join('')
  return (
    (spelled !== '' && symbols.some((symbol) => isSymbol(symbol, spelled))) ||
    names.some(
      (name) => beginsWith(name, phrase) || (joined !== '' && [name[0], ...joinedStarts(name)].includes(joined)),
    )
  )
}

function classOfWord({ symbols, terms }: Searchable, { text, isCorrected, isIsin }: SearchWord, isOnly: boolean) {
  const word = trimPunctuation(text)
  if (isCorrected) {
    const isMatch =
      symbols.some((symbol) => matchesWithTypo(symbol, text)) || terms.some((term) => matchesWithTypo(term, word))
    return isMatch ? matchClass.wordPrefix : matchClass.none
  }
  // Among several words a symbol is often just a word: 500, COLA.
  if (isOnly && symbols.some((symbol) => isSymbol(symbol, text))) return matchClass.exactSymbol
  if (isIsin) return matchClass.isin
  if (symbols.some((symbol) => symbol.startsWith(text))) return matchClass.symbolPrefix
  if (terms.includes(word)) return matchClass.wholeWords
  return terms.some((term) => term.startsWith(word)) ? matchClass.wordPrefix : matchClass.none
}

/** The exchange and the .I of indices are optional: AAPL for AAPL:xnas, DAX for DAX.I. */
function isSymbol(symbol: string, text: string): boolean {
  return symbol === text || symbol === `${text}.i` || (!text.includes(':') && symbol.startsWith(`${text}:`))
}

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
