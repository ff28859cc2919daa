import { percentDecoded } from '../../../core/text.ts'

/** The path and query of a request to explain. The path is below {base_url}, and begins with a slash. */
export type Target = Readonly<{ path: string; queryText: string }>

/** Reads a path and query, with or without the base path and the first slash. A fragment is not sent, so it is ignored. */
export function parseTarget(text: string, basePath: string): Target {
  const sent = text.trim().replace(/#.*$/s, '')
  const mark = sent.indexOf('?')
  const given = mark < 0 ? sent : sent.slice(0, mark)
  const queryText = mark < 0 ? '' : sent.slice(mark + 1)
  const absolute = given.startsWith('/') ? given : `/${given}`
  const isBelow = absolute.toLowerCase().startsWith(`${basePath}/`)
  return { path: isBelow ? absolute.slice(basePath.length) : absolute, queryText }
}

/** The parameters of a path, if it has the pattern `/a/:Id`: in any case, with or without a slash at the end (§2.1). */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.replace(/\/$/, '').split('/')
  const given = path.replace(/\/$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, word] of wanted.entries()) {
    const value = given[at] as string
    if (!word.startsWith(':')) {
      if (word.toLowerCase() !== value.toLowerCase()) return undefined
      continue
    }
    const decoded = percentDecoded(value)
    if (decoded === undefined || decoded === '') return undefined
    params[word.slice(1)] = decoded
  }
  return params
}
