/** What a row is found by; each name is a list of words. */
export type Texts = { symbols: string[]; words: string[]; names: string[][] }

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** A name without "and", & and the legal form, except as its first word, and without "the" before that. */
function nameOf(text: string): string[] {
  const words = plain(text)
    .split(/\s+/)
    .filter((word) => !['', 'and', '&'].includes(word))
  if (words[0] === 'the' && words.length > 1) words.shift()
  return words.filter((word, index) => index === 0 || !['ab', 'sa'].includes(word))
}

export function textsOf(symbol: string, description: string, aliases: readonly string[]): Texts {
  const words = [description, ...aliases].flatMap((name) => plain(name).split(' '))
  const isAnd = words.includes('and') || words.includes('&')
  return {
    symbols: [symbol, ...aliases.filter((alias) => /^[A-Z0-9]+$/.test(alias))].map(plain),
    words: isAnd ? [...words, 'and', '&'] : words,
    names: [description, ...aliases].map(nameOf),
  }
}

/** Exact symbol 1, exact ISIN 2, symbol prefix 4, whole word 5, word prefix 6; undefined for no match. */
function classOfWord({ symbols, words }: Texts, isin: string | undefined, word: string): number | undefined {
  if (symbols.some((symbol) => word === symbol || `${word}.i` === symbol || word === symbol.split(':')[0])) return 1
  if (word === isin) return 2
  if (symbols.some((symbol) => symbol.startsWith(word))) return 4
  if (words.includes(word)) return 5
  return words.some((each) => each.startsWith(word)) ? 6 : undefined
}

/** All corrections of one typo: each letter removed, inserted, changed, two swapped. */
function corrections(word: string): string[] {
  const letters = [...'abcdefghinstuxyz0123456789:.&']
  return [...Array(word.length + 1).keys()].flatMap((at) => {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    const [first = '', second = ''] = tail
    return [
      `${head}${tail.slice(1)}`,
      `${head}${second}${first}${tail.slice(2)}`,
      ...letters.flatMap((letter) => [`${head}${letter}${tail}`, `${head}${letter}${tail.slice(1)}`]),
    ]
  })
}

/** The class of a row by its texts and its ISIN. */
export type Classify = (row: Texts, isin: string | undefined) => number | undefined

/** Whether a name begins with the words of a phrase, blanks aside. Words of one letter are not joined. */
function isNamed({ names }: Texts, phrase: readonly string[]): boolean {
  const joined = phrase.join('')
  const isJoined = (first: readonly string[]) =>
    first.join('') === joined && (first.length === 1 || first.every((word) => word.length > 1))
  return (
    phrase.length > 0 &&
    names.some(
      (name) =>
        phrase.every((word, index) => name[index] === word) ||
        [1, 2, 3].some((count) => isJoined(name.slice(0, count))),
    )
  )
}

/** The symbol that the keywords spell without their blanks and punctuation. */
function spelledBy(keywords: string): string | undefined {
  const text = plain(keywords).trim()
  const spelled = text.replace(/[^a-z0-9]/g, '')
  return /^[a-z0-9]+([ .:]+[a-z0-9]+)*$/.test(text) && spelled !== text ? spelled : undefined
}

function wordsIn(keywords: string): string[] {
  const words = plain(keywords).split(/\s+/).filter(Boolean)
  return [...new Set(words[0] === 'the' && words.length > 1 ? words.slice(1) : words)]
}

/** A name that begins with all words is class 3, as is a symbol with its exchange that they spell. A symbol among several
 *  words counts as the prefix of one. */
export function classifier(keywords: string, isAny: (matches: Classify) => boolean): Classify {
  const words = wordsIn(keywords)
  const phrase = nameOf(keywords)
  const spelled = spelledBy(keywords)
  const isWhole = (row: Texts) =>
    isNamed(row, phrase) || (spelled !== undefined && classOfWord({ ...row, words: [] }, undefined, spelled) === 1)
  const isInPhrase = (word: string) => {
    const pieces = word.split(/[^a-z0-9]+/).filter(Boolean)
    return pieces.length > 0 && pieces.every((piece) => phrase.includes(piece))
  }
  const isWholeKnown = isAny((row) => (isWhole(row) ? 3 : undefined))
  let isCorrected = false
  const tests = words.map((word): Classify => {
    const classify: Classify = (row, isin) => classOfWord(row, isin, word)
    if (word.length < 4 || /^\d+$/.test(word) || (isWholeKnown && isInPhrase(word)) || isAny(classify)) return classify
    isCorrected = true
    const corrected = [...new Set(corrections(word))]
    return ({ symbols, words: texts }) =>
      corrected.some((each) => [...symbols, ...texts].some((text) => text.startsWith(each))) ? 6 : undefined
  })
  return (row, isin) => {
    const classes = tests.map((test) => test(row, isin))
    const isWholeMatch = !isCorrected && isWhole(row)
    if (classes.includes(undefined)) {
      const unmatched = words.filter((_, index) => classes[index] === undefined)
      return isWholeMatch && unmatched.every(isInPhrase) ? 3 : undefined
    }
    const found = classes as number[]
    const [best, worst] = [Math.min(...found), Math.max(...found)]
    if (best === 2 || (best === 1 && words.length === 1)) return best
    // A word that is a symbol may be an ISIN too; then the ISIN counts.
    if (words.some((word) => word === isin)) return 2
    if (isWholeMatch) return 3
    return best <= 4 ? 4 : worst
  }
}
