import type { FastifyRequest } from 'fastify'
import { Problem, unknownAddress } from '../core/problem.ts'
import type { Server } from './typed-server.ts'

/** A browser asks before it sends a call of another origin (Fetch standard, CORS protocol). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers

/** Paths match in any case (contract §1); but where nobody knows one, the router finds its scope by the very letters. */
export const withBasePath = (url: string, basePath: string): string =>
  url.slice(0, basePath.length).toLowerCase() === basePath ? basePath + url.slice(basePath.length) : url

/** `/a/:id/*` as an expression; paths match in any case and with a trailing slash (contract §1). */
function pathPattern(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  const source = escaped
    .replaceAll(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replaceAll('*', '.*')
    .replace(/\/$/, '')
  return new RegExp(`^${source}/?$`, 'i')
}

/**
 * Tells a path that nobody knows (404) from one that has other methods (405, with Allow). The router keeps one tree per
 * method and cannot say, so we keep the patterns; they are searched only for requests that found no route.
 * Both are refused before a body is read, which could otherwise hide them behind a 400 or 415.
 */
export function rejectUnknownPaths(server: Server, basePath: string): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  server.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set() }
    known.set(url, entry)
    for (const one of [method].flat()) entry.methods.add(one)
  })
  server.decorate('allowedMethods', (path: string) => {
    const matches = [...known.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(matches.flatMap(({ methods }) => [...methods]))].sort()
  })
  server.decorate('suggestedPath', (path: string) => {
    const meant = basePath + path.replace(/^(\/sim)?(\/openapi)?(?=\/)/i, '')
    return meant !== path && server.allowedMethods(meant).length > 0 ? meant : undefined
  })
  // A preflight goes on to where its origin is judged: what follows it is then refused in words that a page can read.
  server.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 && !isPreflight(request) ? refusalOf(request) : undefined)
  })
  server.setNotFoundHandler(rejectUnknownPath)
}

export async function rejectUnknownPath(request: FastifyRequest): Promise<never> {
  throw refusalOf(request)
}

function refusalOf(request: FastifyRequest): Problem {
  const { server, url } = request
  const path = url.split('?', 1)[0] ?? ''
  const methods = server.allowedMethods(path)
  if (methods.length === 0) {
    const meant = server.suggestedPath(path)
    return unknownAddress(meant && ` Did you mean ${meant}?`)
  }
  const allow = methods.join(', ')
  return new Problem('MethodNotAllowed', `This address answers to ${allow} only.`, { headers: { allow } })
}
