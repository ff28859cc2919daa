import { Problem } from '../../../core/problem.ts'

export type Group = Readonly<{ publicUrl: string; basePath: string; name: string }>

const rejected = (why: string): Problem => new Problem('InvalidRequest', why)

/** The path and query of a part, from an absolute path or a URL with our origin, with dots and backslashes resolved. */
export function targetWithin(target: string, { publicUrl, basePath, name }: Group): string {
  const example = `${basePath}/${name}/...`
  if (!/^(\/|https?:\/\/)/i.test(target)) throw rejected(`The address of a part must begin with ${example}`)
  const url = URL.parse(target, publicUrl)
  if (url?.origin !== new URL(publicUrl).origin) throw rejected(`The address of a part must be on ${publicUrl}.`)
  if (!url.pathname.toLowerCase().startsWith(`${basePath}/${name}/`))
    throw rejected(`The parts of this batch must be requests to ${example}. Every service group has its own batch.`)
  return `${url.pathname}${url.search}`
}
