import { invalid, type ModelState, notFound, type Problem } from '../core/problem.ts'
import { didYouMean } from '../core/text.ts'
import { hasDotSegments } from '../http/input/dot-segments.ts'
import { formatQuery } from '../http/input/query.ts'
import type { Operation } from '../http/operation.ts'
import type { Position } from './rules/cut.ts'
import { otherPaths, plainName, propertiesOf, type Tool } from './tools.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** A call of an operation. The target is below {base_url}. */
export type OperationRequest = Readonly<{ method: Operation['method']; target: string; body?: string }>

/** Where an answer goes on: from which page of a feed, and where in it. */
export type Cursor = Readonly<{ page?: Readonly<Record<string, string>>; from?: Position }>

export const formatCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** A cursor has only what `formatCursor` writes: a caller can change it, and gets no more than with parameters. */
export function parseCursor(text: unknown): Cursor {
  if (text === undefined || text === null || text === '') return {}
  try {
    const { page = {}, from = [] } = JSON.parse(Buffer.from(String(text), 'base64url').toString()) as Cursor
    const isPage = Object.entries(page).every(
      ([name, value]) => /^\$skip(token)?$/.test(name) && typeof value === 'string',
    )
    if (isPage && Array.isArray(from) && from.length < 50 && from.every(isTextOrNumber)) return { page, from }
  } catch {
    // Reported below.
  }
  throw invalidCursor()
}

export const invalidCursor = (): Problem =>
  invalid({
    cursor: ['Must be the cursor of the answer before, with the same other parameters. Start again without it.'],
  })

/** The request of a tool call. The operation checks the values. */
export function requestOf({ operation, input }: Tool, given: Arguments, { page = {} }: Cursor): OperationRequest {
  const names = Object.keys(input.properties ?? {})
  const errors: ModelState = {}
  for (const name of Object.keys(given))
    if (!names.includes(name)) errors[name] = [`There is no such parameter.${didYouMean(names, name)}`]
  const valueOf = (name: string): unknown => {
    const value = given[plainName(name)]
    return value === null || value === '' ? undefined : value
  }
  for (const name of input.required ?? []) if (valueOf(name) === undefined) errors[name] = ['Is required.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const { method, query, body } = operation
  const target = pathOf(operation, (name) => textOf(valueOf(name)))
  const pairs = propertiesOf(query).flatMap(([name]) => {
    const value = valueOf(name)
    return value === undefined ? [] : [[name, [textOf(value)]] as [string, string[]]]
  })
  const sent = Object.entries(page).map(([name, value]): [string, string[]] => [name, [value]])
  const text = formatQuery(Object.fromEntries([...pairs, ...sent]))
  const members = propertiesOf(body).flatMap(([name]) =>
    given[plainName(name)] === undefined ? [] : [[name, given[plainName(name)]] as const],
  )
  return {
    method,
    target: text === '' ? target : `${target}?${text}`,
    ...(body && { body: JSON.stringify(Object.fromEntries(members)) }),
  }
}

/** The path of the operation with its values. None of them may lead to another operation. */
function pathOf({ path, params }: Operation, textOfValue: (name: string) => string): string {
  const values = propertiesOf(params).map(([name]) => [name, textOfValue(name)] as const)
  const target = values.reduce((made, [name, text]) => made.replace(`:${name}`, () => encodeURIComponent(text)), path)
  // The router compares decoded paths, in any case.
  const isOther = values.length > 0 && otherPaths.has(decodeURI(target).toLowerCase())
  if (isOther || hasDotSegments(target)) throw notFound(values.map(([, text]) => text).join(' '))
  return target
}

/** As in a path or query: a list is comma separated. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
