import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { sha256 } from '../core/crypto/keys.ts'
import { invalid, type ModelState, notFound, Problem } from '../core/problem.ts'
import { didYouMean } from '../core/text.ts'
import { plusInQuery } from '../core/validation/formats.ts'
import { errorBody } from '../http/errors.ts'
import { hasDotSegments } from '../http/input/dot-segments.ts'
import { formatQuery } from '../http/input/query.ts'
import type { Operation } from '../http/operation.ts'
import { cutJson, type Json, type Position, UnknownPosition } from './rules/cut.ts'
import { otherPaths, plainName, propertiesOf, type Tool } from './tools.ts'

/** An answer has about so many characters of JSON; longer ones are cut, with a cursor. */
const maxAnswerLength = 20_000
/** Longer answers of operations are not even read. */
const maxBodyLength = 8 * 1024 * 1024

export type OperationResponse = Readonly<{ status: number; body: string; retryAfter?: string | undefined }>
export type CallOperation = (request: OperationRequest) => Promise<OperationResponse>

type JsonObject = { [name: string]: Json }
type ErrorBody = Readonly<{ ErrorCode?: string; Message?: string; ModelState?: Readonly<Record<string, string[]>> }>

/** Calls the operation of a tool. Its errors become errors of the tool, with the same texts. */
export async function callTool(tool: Tool, given: Arguments, call: CallOperation): Promise<CallToolResult> {
  try {
    const { cursor: sent, ...parameters } = given
    if (sent !== undefined && !tool.isReadOnly) throw invalid({ cursor: ['This tool has no cursor.'] })
    const request = requestOf(tool, parameters)
    const cursor = parseCursor(sent, request)
    const { status, body, retryAfter } = await call(onPage(request, cursor))
    if (status >= 400) return errorResult(status, errorOf(body), retryAfter)
    if (body === '') return { content: [{ type: 'text', text: 'Done.' }] }
    if (body.length > maxBodyLength)
      throw invalid({ top: ['The answer is too long. Ask for fewer rows, or for less of each.'] })
    const document = withoutSecrets(JSON.parse(body) as JsonObject)
    return tool.isReadOnly ? pieceOf(document, request, cursor) : result(document)
  } catch (error) {
    const problem = error instanceof UnknownPosition ? invalidCursor() : error
    if (problem instanceof Problem) return errorResult(problem.status, errorBody(problem))
    throw problem
  }
}

/** A change of the clock returns a token, which is not for the agent. */
function withoutSecrets({ Session: _token, ...members }: JsonObject): JsonObject {
  return members
}

/** As much of the document as fits. The cursor leads to the rest of this page of a feed, then to the next one. */
function pieceOf({ __next, ...document }: JsonObject, request: OperationRequest, { page, from }: Cursor) {
  const { piece, next } = cutJson(document, maxAnswerLength, from)
  const rest = next ? { ...(page && { page }), from: next } : nextPage(__next)
  return result({ ...(piece as JsonObject), ...(rest && { cursor: formatCursor(rest, request) }) })
}

function nextPage(link: Json | undefined): Cursor | undefined {
  if (typeof link !== 'string') return undefined
  const page = [...new URL(link).searchParams].filter(([name]) => /^\$skip(token)?$/.test(name))
  return { page: Object.fromEntries(page) }
}

const result = (document: JsonObject): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(document) }],
  structuredContent: document,
})

/** A 401 may have no body, and a proxy may answer instead of the service. */
function errorOf(body: string): ErrorBody {
  try {
    return JSON.parse(body) as ErrorBody
  } catch {
    return {}
  }
}

function errorResult(status: number, { ErrorCode, Message, ModelState = {} }: ErrorBody, retryAfter?: string) {
  const fields = Object.entries(ModelState).map(([name, sentences]) => `${name}: ${sentences.join(' ')}`)
  const first =
    Message ?? (status === 401 ? 'The access token is not valid any more. Sign in again.' : 'The call failed.')
  const wait = retryAfter === undefined ? [] : [`Retry after ${retryAfter} seconds.`]
  const text = [`${ErrorCode ?? status}: ${first}`, ...fields, ...wait].join('\n')
  return { content: [{ type: 'text' as const, text: inWordsOfTools(text) }], isError: true }
}

/** Parameters of tools have no `$` and are in no URL. */
const inWordsOfTools = (text: string): string =>
  text.replaceAll(/\$(?=(?:top|inlinecount)\b)/g, '').replaceAll(plusInQuery, '')

type Arguments = Readonly<Record<string, unknown>>

/** A call of an operation. The target is below {base_url}. */
export type OperationRequest = Readonly<{ method: Operation['method']; target: string; body?: string }>

/** Where an answer goes on: from which page of a feed, and where in it. */
type Cursor = Readonly<{ page?: Readonly<Record<string, string>>; from?: Position }>
type SentCursor = Cursor & Readonly<{ of?: string }>

const formatCursor = (cursor: Cursor, request: OperationRequest): string =>
  Buffer.from(JSON.stringify({ ...cursor, of: digestOf(request) } satisfies SentCursor)).toString('base64url')

/** Of the operation and all parameters, as they are sent: `5` and `"5"` are the same. */
const digestOf = ({ target }: OperationRequest): string => sha256(target).toString('base64url').slice(0, 8)

const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** A cursor has only what `formatCursor` writes: a caller can change it, and gets no more than with parameters. */
function parseCursor(text: unknown, request: OperationRequest): Cursor {
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

const invalidCursor = (): Problem =>
  invalid({
    cursor: ['Must be the cursor of the answer before, with the same other parameters. Start again without it.'],
  })

function onPage(request: OperationRequest, { page = {} }: Cursor): OperationRequest {
  const text = formatQuery(Object.fromEntries(Object.entries(page).map(([name, value]) => [name, [value]])))
  if (text === '') return request
  return { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${text}` }
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

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
