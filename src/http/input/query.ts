import type { FastifyRequest } from 'fastify'
import { limits } from '../limits/buckets.ts'

/** A query as sent: every name in the caller's spelling, with all its values. */
export type Query = Record<string, string[]>

/** Parses a query as URLSearchParams does: bad escapes become U+FFFD. One that is too long counts as empty, because its request is
 *  rejected afterwards. Returns an object that inherits nothing, because a caller may send any name. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(null)
  if (text.length > limits.urlCharacters) return query
  // URLSearchParams would drop a leading question mark.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    const values = query[name]
    if (values) values.push(value)
    else query[name] = [value]
  }
  return query
}

/** The query string verbatim: `request.query` has been converted by the schema of the route. A second `?` belongs to it. */
export function queryText(request: Pick<FastifyRequest, 'url'>): string {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start + 1)
}

export const parameterCount = (query: Query): number => Object.values(query).flat().length

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

export function valuesByName(query: Query): Values {
  const values: Values = new Map()
  for (const name in query) {
    const key = parameterName(name)
    const kept = query[name]?.filter((text) => text !== '' || neverEmpty.has(key)) ?? []
    if (kept.length > 0) values.set(key, [...(values.get(key) ?? []), ...kept])
  }
  return values
}

/** `a=1&b=2`. `$` and `,` are not percent-encoded (§2.3). */
export const formatQuery = (query: Query): string =>
  Object.entries(query)
    .flatMap(([name, values]) => values.map((value) => formatParameter(name, value)))
    .join('&')

export const formatParameter = (name: string, value: string): string => `${encode(name)}=${encode(value)}`

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%24', '$').replaceAll('%2C', ',')
