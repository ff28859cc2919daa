import { readFile } from 'node:fs/promises'

type Json = Readonly<Record<string, unknown>>
type Types = Readonly<Record<string, string>>
export type Kind = 'parameter' | 'body' | 'answer'

/** An operation of the interface's public description: its parameters, and the type of each field by its path. */
type Described = Readonly<{ operation: string; parameters: readonly string[]; body?: Types; answer?: Types }>

/** A described field, and how /openapi.json differs from it, if it does. */
export type Comparison = Readonly<{ operation: string; kind: Kind; path: string; difference?: string }>

export async function readDescribed(): Promise<Described[]> {
  const text = await readFile(new URL('described.ndjson', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The described parameters of an operation, or the fields of its body or answer. */
export function namesOf({ parameters, body = {}, answer = {} }: Described, kind: Kind): readonly string[] {
  return { parameter: parameters, body: Object.keys(body), answer: Object.keys(answer) }[kind]
}

/** Compares every described field of an operation; undefined if the document does not have the operation. */
export function compareOperation(document: Json, described: Described): Comparison[] | undefined {
  const { operation, parameters, body = {}, answer = {} } = described
  const [method = '', path = ''] = operation.split(' ')
  const paths = document.paths as Record<string, Record<string, Json>>
  const found = paths[path]?.[method.toLowerCase()]
  if (!found) return undefined
  const own = new Set(((found.parameters ?? []) as Json[]).map(({ name }) => String(name).toLowerCase()))
  const missing = (name: string) => (own.has(name.toLowerCase()) ? {} : { difference: 'missing' })
  return [
    ...parameters.map((name) => ({ operation, kind: 'parameter' as const, path: name, ...missing(name) })),
    ...compareTypes(document, operation, 'body', body, found.requestBody),
    ...compareTypes(document, operation, 'answer', answer, successOf(found)),
  ]
}

/** One line per difference, which the accepted differences name. */
export function writeDifference({ operation, kind, path, difference }: Comparison): string {
  return `${operation} ${kind} ${path} ${difference}`
}

function successOf({ responses }: Json): unknown {
  const statuses = Object.entries(responses as Json).filter(([status]) => status.startsWith('2'))
  return statuses.find(([, response]) => (response as Json).content !== undefined)?.[1]
}

function compareTypes(document: Json, operation: string, kind: Kind, described: Types, holder: unknown): Comparison[] {
  const content = (resolve(document, holder ?? {}).content ?? {}) as Record<string, { schema: Json }>
  const own = new Map<string, string>()
  collect(document, Object.values(content)[0]?.schema ?? {}, '', own)
  return Object.entries(described).map(([path, type]) => {
    const ownType = own.get(path)
    const difference = ownType === undefined ? 'missing' : typeDifference(ownType, type)
    return { operation, kind, path, ...(difference === undefined ? {} : { difference }) }
  })
}

/** A whole number is a number. What the description leaves open may be anything. */
function typeDifference(own: string, described: string): string | undefined {
  const isSame = own === described || described === 'any' || (own === 'integer' && described === 'number')
  return isSame ? undefined : `is ${own}, described as ${described}`
}

/** Adds the type of every member below this schema, by its path: `Data[].Uic`. */
function collect(document: Json, node: unknown, path: string, types: Map<string, string>): void {
  const schema = resolve(document, node)
  const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((each) => (schema[each] ?? []) as Json[])
  for (const each of alternatives) collect(document, each, path, types)
  if (schema.items !== undefined) collect(document, schema.items, `${path}[]`, types)
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Json)) {
    const memberPath = path === '' ? name : `${path}.${name}`
    types.set(memberPath, typeOf(document, member))
    collect(document, member, memberPath, types)
  }
}

function typeOf(document: Json, node: unknown): string {
  const { type, items, allOf, anyOf, oneOf, enum: values } = resolve(document, node)
  if (type === 'array') return `${typeOf(document, items)}[]`
  if (typeof type === 'string') return type
  const [first] = ((allOf ?? anyOf ?? oneOf) as Json[] | undefined) ?? []
  if (first) return typeOf(document, first)
  return Array.isArray(values) ? typeof values[0] : 'any'
}

function resolve(document: Json, node: unknown): Json {
  const { $ref } = node as { $ref?: string }
  if ($ref === undefined) return node as Json
  const steps = $ref.slice(2).split('/')
  return resolve(
    document,
    steps.reduce((each: unknown, step) => (each as Json)[step], document),
  )
}
