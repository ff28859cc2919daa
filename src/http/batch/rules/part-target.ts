import { Problem } from '../../../core/problem.ts'

export type Group = Readonly<{ publicUrl: string; basePath: string; name: string }>

const refused = (why: string): Problem => new Problem('InvalidRequest', why)

/**
 * The path and query that a part asks for: from the origin, or absolute with our own origin. It is judged as it is when all
 * dots and backslashes in it are resolved, and that is what is called.
 */
export function targetWithin(target: string, { publicUrl, basePath, name }: Group): string {
  const example = `${basePath}/${name}/...`
  if (!/^(\/|https?:\/\/)/i.test(target)) throw refused(`The address of a part begins with ${example}`)
  const url = URL.parse(target, publicUrl)
  if (url?.origin !== new URL(publicUrl).origin) throw refused(`The address of a part is of ${publicUrl}.`)
  if (!url.pathname.toLowerCase().startsWith(`${basePath}/${name}/`))
    throw refused(`The parts of this batch are requests to ${example}; every service group has a batch of its own.`)
  return `${url.pathname}${url.search}`
}
