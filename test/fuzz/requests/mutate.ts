import type { Random } from '../random.ts'
import { type Draft, encoded } from './draft.ts'
import { hostileEncoded, hostileText } from './hostile.ts'
import { mutateBody } from './mutate-body.ts'
import { mutateHeaders } from './mutate-headers.ts'

type Mutation = { weight: number; apply(draft: Draft, random: Random): void; isFor?(draft: Draft): boolean }

const mutations: readonly Mutation[] = [
  { weight: 5, apply: changeValue },
  { weight: 3, apply: changeQuery },
  { weight: 4, apply: changePath },
  { weight: 2, apply: changeMethod },
  { weight: 6, apply: mutateHeaders },
  { weight: 8, apply: mutateBody, isFor: ({ body }) => body !== undefined },
  { weight: 0.5, apply: mutateBody },
]

/** Changes one thing about a request. */
export function mutate(draft: Draft, random: Random): void {
  const possible = mutations.filter(({ isFor }) => isFor?.(draft) ?? true)
  random.weighted(possible).apply(draft, random)
}

const bad = (random: Random) =>
  random.chance(0.2) ? { value: hostileEncoded(random), isEncoded: true } : { value: hostileText(random) }

/** A parameter, declared or not, gets a value that it must not have. */
function changeValue({ query, target }: Draft, random: Random): void {
  const declared = target.parameters.filter((each) => each.in === 'query')
  const name = declared.length > 0 ? random.pick(declared).name : 'Some'
  const at = query.findIndex((each) => each.name === name)
  const changed = { name, ...bad(random) }
  if (at < 0) query.push(changed)
  else query[at] = changed
}

function changeQuery(draft: Draft, random: Random): void {
  const { query } = draft
  const kind = random.below(7)
  const any = query.length > 0 ? random.pick(query) : { name: '$top', value: '1' }
  if (kind === 0) query.splice(random.below(query.length + 1), 1)
  else if (kind === 1) query.push(any, any)
  else if (kind === 2)
    query.push({ ...any, name: random.chance(0.5) ? any.name.toUpperCase() : any.name.toLowerCase() })
  else if (kind === 3) query.push({ name: hostileText(random), value: hostileText(random) })
  else if (kind === 4) query.push({ name: `${any.name}[]`, value: any.value }, { name: `${any.name}[a]`, value: '' })
  else if (kind === 5)
    for (let at = random.pick([20, 199, 250]); at > 0; at--) query.push({ name: `a${at}`, value: '' })
  else query.push({ name: any.name, value: hostileEncoded(random), isEncoded: true })
}

function changePath(draft: Draft, random: Random): void {
  const segments = draft.path.split('/')
  const at = random.between(1, segments.length - 1)
  const kind = random.below(9)
  if (kind <= 2) segments[at] = random.chance(0.3) ? hostileEncoded(random) : encoded(hostileText(random))
  else if (kind === 3) segments.splice(at, 0, random.pick(['', '.', '..', '%2e%2e', 'x']))
  else if (kind === 4) segments[at] = segments[at]?.toUpperCase() ?? ''
  else if (kind === 5) segments.push('')
  else if (kind === 6) segments.splice(at, 1)
  else if (kind === 7) segments[at] = `${segments[at]}${random.pick(['%20', '%00', ';a=b', '.json', '%2F', '\\', '~'])}`
  else segments[at] = 'A'.repeat(random.pick([101, 400, 33_000]))
  draft.path = segments.join('/') || '/'
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE']

function changeMethod(draft: Draft, random: Random): void {
  if (random.chance(0.4)) {
    draft.method = 'POST'
    draft.headers.push(['X-HTTP-Method-Override', random.pick([...methods, 'patch', ' DELETE', 'GET,PUT', ''])])
  } else draft.method = random.pick(methods)
}
