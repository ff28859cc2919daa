import { isTypo } from '../../../core/text.ts'
import { hidden } from './secrets.ts'
import { type Shown, showEncoded, showQuery } from './values.ts'

/** The parts of an address that may be shown. */
export type TargetFacts = Shown &
  Readonly<{
    /** The path of its route, such as `/a/:Id`; undefined for an unknown address. */
    route: string | undefined
    /** Whether the path itself is a secret. */
    isSecret: boolean
    /** The names of its parameters, in lower case. */
    ofRoute: ReadonlySet<string>
    /** The words of all paths, in lower case. */
    words: ReadonlySet<string>
  }>

const maxCharacters = 2_048
/** How many unknown names of an address are compared with known ones, so that a caller cannot make it take long. */
const maxCompared = 5

/** Path and query without secrets (§11.6): of an unknown path only its known words, or what is close to one; of a query only the
 *  values of documented parameters. */
export function showTarget(target: string, facts: TargetFacts): string {
  const kept = target.length > maxCharacters ? cut(target) : target
  const mark = kept.indexOf('?')
  const path = mark < 0 ? kept : kept.slice(0, mark)
  const query = mark < 0 ? '' : kept.slice(mark + 1)
  let compared = 0
  const isClose = (names: ReadonlySet<string>, given: string): boolean => {
    if (compared >= maxCompared) return false
    compared += 1
    return isTypoOf(names, given)
  }
  const shownPath = showPath(path, facts, (word) => isClose(facts.words, word))
  const shownQuery = showQuery(query, facts.ofRoute, facts, (name) => isClose(facts.ofRoute, name))
  const shown = `${shownPath}${query === '' ? '' : `?${shownQuery}`}`
  if (shown.length > maxCharacters) return `${cut(shown)}…`
  return kept === target ? shown : `${shown}…`
}

/** Between two parts: half of a token does not look like one. */
const cut = (text: string): string => text.slice(0, maxCharacters).replace(/[^/?&]*$/, '')

function showPath(path: string, facts: TargetFacts, isClose: (word: string) => boolean): string {
  const { route, isSecret, words } = facts
  if (isSecret && route !== undefined) return route.replaceAll(/:\w+/g, hidden)
  if (route !== undefined) return showParameters(path, route, facts)
  return path
    .split('/')
    .map((segment) => (isShown(segment, words, isClose) ? segment : hidden))
    .join('/')
}

/** A known route: a token may stand in the place of a parameter. */
function showParameters(path: string, route: string, shown: Shown): string {
  const names = route.split('/')
  return path
    .split('/')
    .map((segment, at) => {
      const name = names[at] ?? '*'
      return name.startsWith(':') || name === '*' ? showEncoded(name.slice(1), segment, shown) : segment
    })
    .join('/')
}

/** A known word, one with typos, or a small number: anything else may be a secret that was pasted in the wrong place. */
function isShown(segment: string, words: ReadonlySet<string>, isClose: (word: string) => boolean): boolean {
  const word = segment.toLowerCase()
  return segment === '' || words.has(word) || /^\d{1,10}$/.test(segment) || isClose(word)
}

const isTypoOf = (names: ReadonlySet<string>, given: string): boolean =>
  names.values().some((name) => Math.abs(name.length - given.length) <= 2 && isTypo(name, given))

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
