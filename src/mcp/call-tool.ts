import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { invalid, Problem } from '../core/problem.ts'
import { plusInQuery } from '../core/validation/formats.ts'
import { errorBody } from '../http/errors.ts'
import {
  type Arguments,
  type Cursor,
  formatCursor,
  invalidCursor,
  type OperationRequest,
  onPage,
  parseCursor,
  requestOf,
} from './request.ts'
import { cutJson, type Json, UnknownPosition } from './rules/cut.ts'
import type { Tool } from './tools.ts'

/** An answer has about so many characters of JSON; longer ones are cut, with a cursor. */
export const maxAnswerLength = 20_000
/** Longer answers of operations are not even read. */
const maxBodyLength = 8 * 1024 * 1024

export type OperationResponse = Readonly<{ status: number; body: string; retryAfter?: string | undefined }>
/** Calls an operation as the user of the agent. */
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
    if (error instanceof UnknownPosition) return problemResult(invalidCursor())
    if (error instanceof Problem) return problemResult(error)
    throw error
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
  const query = new URL(link).searchParams
  const page = ['$skiptoken', '$skip'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
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

const problemResult = (problem: Problem): CallToolResult => errorResult(problem.status, errorBody(problem))

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
