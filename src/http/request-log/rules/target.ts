import { isTypo } from '../../../core/text.ts'
import { hidden, hideValue } from './secrets.ts'

/** What is known of the address of a request. */
export type TargetFacts = Readonly<{
  /** The path of its route, such as `/a/:Id`; undefined for an unknown address. */
  route: string | undefined
  /** Whether the path itself is a secret. */
  isSecret: boolean
  /** The names of its parameters, in lower case. */
  parameters: ReadonlySet<string>
  /** The names of the parameters of all operations, for addresses inside of values. */
  all: ReadonlySet<string>
  /** The words of all paths, in lower case. */
  words: ReadonlySet<string>
}>

const maxCharacters = 2_048

/** Path and query without secrets (§11.6): of an unknown path only its known words, or what is close to one; of a query only the
 *  values of documented parameters. */
export function showTarget(target: string, facts: TargetFacts): string {
  // Cut between two parts: half of a token does not look like one.
  const isLong = target.length > maxCharacters
  const kept = isLong ? target.slice(0, maxCharacters).replace(/[^/?&]*$/, '') : target
  const mark = kept.indexOf('?')
  const path = mark < 0 ? kept : kept.slice(0, mark)
  const query = mark < 0 ? '' : kept.slice(mark + 1)
  return `${showPath(path, facts)}${query === '' ? '' : `?${showQuery(query, facts)}`}${isLong ? '…' : ''}`
}

function showPath(path: string, { route, isSecret, words }: TargetFacts): string {
  if (isSecret && route !== undefined) return route.replaceAll(/:\w+/g, hidden)
  if (route !== undefined) return showParameters(path, route)
  return path
    .split('/')
    .map((segment) => (isShown(segment, words) ? segment : hidden))
    .join('/')
}

/** A known route: a token may stand in the place of a parameter. */
function showParameters(path: string, route: string): string {
  if (path === route) return path
  const names = route.split('/')
  return path
    .split('/')
    .map((segment, at) => {
      const name = names[at] ?? '*'
      return name.startsWith(':') || name === '*' ? hideValue(name.slice(1), segment) : segment
    })
    .join('/')
}

/** A known word, one with typos, or a small number: anything else may be a secret that was pasted in the wrong place. */
function isShown(segment: string, words: ReadonlySet<string>): boolean {
  const word = segment.toLowerCase()
  return segment === '' || words.has(word) || /^\d{1,10}$/.test(segment) || isTypoOf(words, word)
}

/** Compares only names of about the same length, because a caller may send many. */
const isTypoOf = (names: ReadonlySet<string>, given: string): boolean =>
  names.values().some((name) => Math.abs(name.length - given.length) <= 2 && isTypo(name, given))

const hiddenPair = `${hidden}=${hidden}`

type Names = Pick<TargetFacts, 'parameters' | 'all'>

function showQuery(query: string, { parameters, all }: Names): string {
  return query
    .split('&')
    .map((pair) => {
      const sign = pair.indexOf('=')
      const name = sign < 0 ? pair : pair.slice(0, sign)
      if (pair === '') return ''
      if (parameters.size === 0) return hiddenPair
      const lower = decode(name).toLowerCase()
      const isKnown = parameters.has(lower)
      if (!isKnown && !isTypoOf(parameters, lower)) return hiddenPair
      const value = sign < 0 ? '' : pair.slice(sign + 1)
      return `${name}=${isKnown ? showValue(lower, value, all) : hidden}`
    })
    .join('&')
}

/** Of the address of an app only what it registers: a query may have anything. */
export function showValue(name: string, value: string, all: ReadonlySet<string>): string {
  if (name === 'redirect_uri') return hideValue(name, value.replace(/(?:%3f|%23|[?#]).*$/i, ''))
  const text = decode(value)
  const shown = showQueries(text, all)
  return hideValue(name, shown === text ? value : encodeURIComponent(shown))
}

/** A text that may have addresses inside: of their queries only the values of documented parameters. */
export const showQueries = (text: string, all: ReadonlySet<string>): string =>
  text.replaceAll(
    /\?([^\s"'<>=?]*=[^\s"'<>]*)/g,
    (_, query: string) => `?${showQuery(query, { parameters: all, all })}`,
  )

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return ''
  }
}

/** Where a response redirects to: the address, the error if it is one, and the names of everything else. */
export function showLocation(location: string): string {
  return location.replace(/[?#].*$/, (parts) => {
    const shown = parts
      .slice(1)
      .split(/[&?#]/)
      .map((pair) => (/^error(?:_description)?=/.test(pair) ? pair : `${pair.replace(/=.*$/, '')}=${hidden}`))
    return `${parts[0]}${shown.join('&')}`
  })
}
