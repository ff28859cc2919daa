import { Problem } from '../core/problem.ts'
import type { Server } from './typed-server.ts'

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
export function refuseUnknownPaths(server: Server): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  server.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set() }
    known.set(url, entry)
    for (const one of [method].flat()) entry.methods.add(one)
  })
  server.decorate('methodsOf', (path: string) => {
    const matches = [...known.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(matches.flatMap(({ methods }) => [...methods]))].sort()
  })
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const methods = server.methodsOf(request.url.split('?', 1)[0] ?? '')
    if (methods.length === 0) return done(new Problem('NoResultFound', 'There is nothing at this address.'))
    const allow = methods.join(', ')
    done(new Problem('MethodNotAllowed', `This address answers to ${allow} only.`, { headers: { allow } }))
  })
}
