/** Letters that Unicode does not decompose but that people type without their mark. */
const replacements = new Map(
  'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ı=i ς=σ'.split(' ').map((pair) => pair.split('=') as [string, string]),
)
const replaced = /[ßæœøđðþłıς]/g
const accents = /\p{M}+/gu
const isAscii = /^[\0-\x7f]*$/

/** Removes case and accents (§6.1). */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower
  // Lower case again, because NFKD turns signs such as ™ into capitals.
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(replaced, (letter) => replacements.get(letter) as string)
}

const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const inner = /[^\p{L}\p{N}]+/u

const isPlain = /^[a-z0-9 ]*$/
const plainWord = /^[a-z0-9]+$/
/** Whether a folded text is one word of ASCII letters and digits, as most keywords are. */
export const isPlainWord = (folded: string): boolean => plainWord.test(folded)

/** Removes the punctuation around a word; a word of punctuation only, such as &, is kept. */
export const trimPunctuation = (word: string): string => (isPlain.test(word) ? word : word.replace(edges, '') || word)

/** The words of letters and digits in a folded text. */
export const splitWords = (folded: string): string[] =>
  isPlain.test(folded) ? splitAtSpaces(folded) : folded.split(inner).filter((word) => word !== '')

function splitAtSpaces(text: string): string[] {
  const words: string[] = []
  let start = 0
  for (let end = text.indexOf(' '); end >= 0; end = text.indexOf(' ', start)) {
    if (end > start) words.push(text.slice(start, end))
    start = end + 1
  }
  if (start < text.length) words.push(text.slice(start))
  return words
}

/** Legal forms and what they are short for. */
const longForms = { co: 'company', corp: 'corporation', inc: 'incorporated', ltd: 'limited' }
/** Words that are the same: each finds the other. */
const sameWords = new Map(
  Object.entries(longForms).flatMap(([short, long]) => [
    [short, long],
    [long, short],
  ]),
)

/** The terms under which a description is indexed: its words and, for a word with punctuation inside, also its parts
 *  and their concatenation. So coca-cola, cola and cocacola all find Coca-Cola. & and "and" are the same word, as are Corp and Corporation. */
export function tokenize(description: string): string[] {
  const terms = new Set<string>()
  for (const piece of fold(description).split(' ')) {
    const word = trimPunctuation(piece)
    if (word === '') continue
    terms.add(word)
    if (word === 'and' || word.includes('&')) terms.add('&').add('and')
    const same = sameWords.get(word)
    if (same !== undefined) terms.add(same)
    if (isPlainWord(word)) continue
    const parts = word.split(inner)
    if (parts.length === 1 || parts[0] === '') continue
    for (const part of parts) terms.add(part)
    terms.add(parts.join(''))
  }
  return [...terms]
}

export const tokenizeQuery = (text: string): string[] => foldedQueryWords(fold(text))

/** The same of a folded text. A leading "the" before other words is left out. */
export function foldedQueryWords(folded: string): string[] {
  if (isPlainWord(folded)) return [folded]
  const all = isPlain.test(folded) ? splitAtSpaces(folded) : folded.split(/\s+/).filter((word) => word !== '')
  const words = all[0] === 'the' && all.length > 1 ? all.slice(1) : all
  return words.filter((word, index) => words.indexOf(word) === index)
}
