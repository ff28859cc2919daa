/** Letters that are no accented form of another by Unicode, but that people type as if they were. */
const plain: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}
const special = /[ßæœøđðþłıς]/g
const accents = /\p{M}+/gu
const isAscii = /^[\0-\x7f]*$/

/** Text without regard to case and accents (contract §6). */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower
  // What stands for capitals, such as ™, falls apart into them.
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(special, (letter) => plain[letter] ?? letter)
}

const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const inner = /[^\p{L}\p{N}]+/u

/** A word as typed, without the punctuation around it; what is nothing else, such as &, stays what it is. */
export const trimPunctuation = (word: string): string => word.replace(edges, '') || word

/**
 * The words of a description by which it is found, folded: as they stand between spaces, and where one has punctuation
 * inside also its parts and the whole without it, so that coca-cola, cola and cocacola all find it.
 */
export function tokenize(description: string): string[] {
  const words = new Set<string>()
  for (const piece of fold(description).split(' ')) {
    const word = trimPunctuation(piece)
    if (word === '') continue
    words.add(word)
    const parts = word.split(inner)
    if (parts.length === 1 || parts[0] === '') continue
    for (const part of parts) words.add(part)
    words.add(parts.join(''))
  }
  return [...words]
}

/** What was typed into a search, as words: split on spaces, each once. */
export function tokenizeQuery(text: string): string[] {
  return [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '')
}
