import type { RestRequest } from '../exchange.ts'

/** A query as sent: every name in the caller's spelling, with all its values. */
export type Query = Record<string, string[]>

/** Returns an object without a prototype, because a caller may send any name. Bad escapes become U+FFFD. The result is that
 *  of URLSearchParams, which takes several times as long. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(null)
  if (text === '') return query
  for (const part of text.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decoded(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decoded(part.slice(at + 1))
    const values = query[name]
    if (values) values.push(value)
    else query[name] = [value]
  }
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

/** The query string verbatim. A second `?` belongs to it. */
export function queryText(request: Pick<RestRequest, 'url'>): string {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start + 1)
}

/** The query as sent; `request.query` has been converted by the schema of the route. */
export function sentQuery(request: Pick<RestRequest, 'url'>): Query {
  return parseQuery(queryText(request))
}

export function parameterCount(query: Query): number {
  let count = 0
  for (const name in query) count += query[name]?.length ?? 0
  return count
}

/** Joins the values of names that differ only in case, and drops empty values (§2.1). */
export function valuesByLowerCaseName(query: Query): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const name in query) {
    const given = query[name]?.filter((text) => text !== '') ?? []
    if (given.length === 0) continue
    const key = name.toLowerCase()
    const known = values.get(key)
    values.set(key, known ? [...known, ...given] : given)
  }
  return values
}

/** `a=1&b=2`. `$` and `,` are not percent-encoded (§2.3). */
export function formatQuery(query: Query): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%24', '$').replaceAll('%2C', ',')
  return Object.entries(query)
    .flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`))
    .join('&')
}
