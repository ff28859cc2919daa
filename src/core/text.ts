/** `1 message`, `2 messages`. */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** `3 of the 2222 rows`, `None of the 2222 rows`. */
export const shareOf = (count: number, all: number, one: string): string =>
  `${count === 0 ? 'None' : count} of the ${plural(all, one)}`

/** `2 accounts, 1 user and 3 apps`: the counts that are not zero. */
export function countsInWords(counts: readonly (readonly [count: number, name: string])[]): string {
  const some = counts.filter(([count]) => count > 0).map(([count, name]) => plural(count, name))
  return [some.slice(0, -1).join(', '), some.at(-1)].filter(Boolean).join(' and ')
}

/** ` Did you mean Stock?` if a known name is close to the given one, otherwise an empty string. */
export function didYouMean(names: readonly string[], given: unknown): string {
  const name = typeof given === 'string' ? closestName(names, given) : undefined
  return name === undefined ? '' : ` Did you mean ${name}?`
}

/** Bounds the time if data has many names. */
const maxCompared = 5_000

/** The known name with the fewest typos, in any case: one typo for every three letters, or a shared start of at least three. */
export function closestName(names: readonly string[], given: string): string | undefined {
  if (given.length > 50) return undefined
  const text = given.toLowerCase()
  const maxTypos = Math.max(1, Math.floor(text.length / 3))
  const ranked = names
    .slice(0, maxCompared)
    .map((name) => ({ name, lower: name.toLowerCase() }))
    .map(({ name, lower }) => ({ name, typos: editDistance(lower, text), start: sharedStart(lower, text) }))
    .filter(({ typos, start }) => typos <= maxTypos || start >= 3)
    .sort((a, b) => a.typos - b.typos || b.start - a.start)
  return ranked[0]?.name
}

/** Whether two different names of at least six letters differ by at most two typos. */
export const isTypo = (name: string, given: string): boolean =>
  name !== given && Math.min(name.length, given.length) >= 6 && given.length <= 50 && editDistance(name, given) <= 2

function sharedStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

/** Whether a word begins like another one, with at most one typo if it has at least four letters. */
export function beginsLike(name: string, typed: string): boolean {
  if (name.startsWith(typed)) return true
  if (typed.length < 4 || typed.length > 50) return false
  return [-1, 0, 1].some((more) => editDistance(name.slice(0, typed.length + more), typed) <= 1)
}

/** Levenshtein distance: the fewest insertions, deletions and replacements that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** 2026-11-16T12:00Z */
export const minute = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'minute' })

/** 2026-11-16T12:00:00Z */
export const second = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'second' })

const maxNameWidth = 40

/** Names are untrusted: replaces control characters, which a terminal would obey, and truncates. */
export function printable(text: string): string {
  const plain = [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')]
  return plain.length <= maxNameWidth ? plain.join('') : `${plain.slice(0, maxNameWidth - 1).join('')}…`
}

/** Pads the cells of each column to the same width. */
export function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)
  return rows.map((row) => row.map(padded).join('  ').trimEnd())
}

/** Undefined if a percent-encoding is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
