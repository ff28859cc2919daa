import { sha256 } from '../core/crypto/keys.ts'
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
/** `of`: the call that the cursor is for. */
type SentCursor = Cursor & Readonly<{ of?: string }>

export const formatCursor = (cursor: Cursor, request: OperationRequest): string =>
  Buffer.from(JSON.stringify({ ...cursor, of: digestOf(request) } satisfies SentCursor)).toString('base64url')

/** Of the operation and all parameters, as they are sent: `5` and `"5"` are the same. */
const digestOf = ({ target }: OperationRequest): string => sha256(target).toString('base64url').slice(0, 8)

const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** A cursor has only what `formatCursor` writes: a caller can change it, and gets no more than with parameters. */
export function parseCursor(text: unknown, request: OperationRequest): Cursor {
  if (text === undefined || text === null || text === '') return {}
  try {
    const { page = {}, from = [], of } = JSON.parse(Buffer.from(String(text), 'base64url').toString()) as SentCursor
    const isPage = Object.entries(page).every(
      ([name, value]) => /^\$skip(token)?$/.test(name) && typeof value === 'string',
    )
    const isOfCall = of === digestOf(request)
    if (isOfCall && isPage && Array.isArray(from) && from.length < 50 && from.every(isTextOrNumber))
      return { page, from }
  } catch {
    // Reported below.
  }
  throw invalidCursor()
}

export const invalidCursor = (): Problem =>
  invalid({
    cursor: ['Must be the cursor of the answer before, with the same other parameters. Start again without it.'],
  })

/** The request for the page of a cursor. */
export function onPage(request: OperationRequest, { page = {} }: Cursor): OperationRequest {
  const sent = Object.entries(page).map(([name, value]): [string, string[]] => [name, [value]])
  const { target } = request
  if (sent.length === 0) return request
  return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}${formatQuery(Object.fromEntries(sent))}` }
}

/** The request of a tool call, for the first page. The operation checks the values. */
export function requestOf({ operation, input }: Tool, given: Arguments): OperationRequest {
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
  const text = formatQuery(Object.fromEntries(pairs))
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
