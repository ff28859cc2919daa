import type { FastifyRequest } from 'fastify'
import { limits } from '../limits/buckets.ts'

/** A query as sent: every name in the caller's spelling, with all its values. */
export type Query = Record<string, string[]>

/** Calls `use` for each parameter of a query, as URLSearchParams would have them, which takes several times as long. Bad
 *  escapes become U+FFFD. Stops after one more than a request may have, and ignores a query that is too long, because both
 *  are rejected afterwards: the router parses the query of any request. */
function eachParameter(text: string, use: (name: string, value: string) => void): void {
  if (text.length > limits.urlCharacters) return
  let sign = text.indexOf('=')
  for (let start = 0, count = 0; start < text.length && count <= limits.queryParameters; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (sign >= 0 && sign < start) sign = text.indexOf('=', start)
    const nameEnd = sign < 0 || sign > end ? end : sign
    if (end > start) {
      count += 1
      use(decoded(text.slice(start, nameEnd)), decoded(text.slice(nameEnd + 1, end)))
    }
    start = end + 1
  }
}

/** Objects without a prototype themselves are several times as slow. */
const noNames: object = Object.freeze(Object.create(null))

/** Returns an object that inherits nothing, because a caller may send any name. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(noNames)
  eachParameter(text, (name, value) => {
    const values = query[name]
    if (values) values.push(value)
    else query[name] = [value]
  })
  return query
}

/** A name or value of a query as it was meant. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+') && text.isWellFormed()) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).toWellFormed()
  } catch {
    return new URLSearchParams(`=${text}`).get('') ?? ''
  }
}

/** The query string verbatim: `request.query` has been converted by the schema of the route. A second `?` belongs to it. */
export function queryText(request: Pick<FastifyRequest, 'url'>): string {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start + 1)
}

export function parameterCount(query: Query): number {
  let count = 0
  for (const name in query) count += query[name]?.length ?? 0
  return count
}

/** Names whose empty value is an error: with a variable that a script has not set, `AsOf=` must not mean now (§9.7), and a reader
 *  that has lost its cursor must notice it (`Since=`, §9.6). */
const neverEmpty = new Set(['asof', 'since'])

/** The values of a query by name. Joins the spellings of a name, and drops empty values (§2.1). */
export type Values = Map<string, string[]>

/** A name in lower case, without the brackets by which some clients mark a list: `AssetTypes[]`, `AssetTypes[0]` (§2.1). */
export const parameterName = (name: string): string => name.toLowerCase().replace(/\[\d*\]$/, '')

/** The elements of a list: comma separated, repeated or both. Ignores blanks around them and empty ones (§2.1). */
export const listItems = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',').flatMap((item) => item.trim() || []))

function addValue(values: Values, name: string, value: string): void {
  const key = parameterName(name)
  if (value === '' && !neverEmpty.has(key)) return
  const known = values.get(key)
  if (known) known.push(value)
  else values.set(key, [value])
}

export function valuesByName(query: Query): Values {
  const values: Values = new Map()
  for (const name in query) for (const value of query[name] ?? []) addValue(values, name, value)
  return values
}

/** The same from text, with the number of parameters. */
export function parseValues(text: string): { values: Values; count: number } {
  const values: Values = new Map()
  let count = 0
  eachParameter(text, (name, value) => {
    count += 1
    addValue(values, name, value)
  })
  return { values, count }
}

/** `a=1&b=2`. `$` and `,` are not percent-encoded (§2.3). */
export function formatQuery(query: Query): string {
  let text = ''
  for (const name in query)
    for (const value of query[name] ?? []) text += `${text === '' ? '' : '&'}${formatParameter(name, value)}`
  return text
}

export const formatParameter = (name: string, value: string): string => `${encode(name)}=${encode(value)}`

/** Most names and values need no encoding, and testing is cheaper. */
const encode = (text: string): string =>
  /^[\w.,$-]*$/.test(text) ? text : encodeURIComponent(text).replaceAll('%24', '$').replaceAll('%2C', ',')
