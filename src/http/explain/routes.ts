import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import {
  type Explanation,
  Explanation as ExplanationSchema,
  type ExplanationStep,
  exampleRequest,
} from '../../core/explain/schema.ts'
import { maxNamed, plainStep } from '../../core/explain/step-tally.ts'
import { invalid, Problem, rateLimitExceeded, wireCodes } from '../../core/problem.ts'
import { parseQuery } from '../input/query.ts'
import { compileValidator, requireValid } from '../input/validation.ts'
import { requireFewParameters } from '../limits/guards.ts'
import { KeyCounts } from '../limits/key-counts.ts'
import { addOperation, operation, type RequestOf } from '../operation.ts'
import type { Server } from '../typed-server.ts'
import type { Asked, Explained, Explainer, Logged } from './explainer.ts'
import { explainPath, maxExplained } from './help-link.ts'
import { matchPath, parseTarget } from './rules/target.ts'

export const explainRequest = operation({
  method: 'GET',
  path: explainPath,
  operationId: 'explainRequest',
  permission: 'readRequests',
  summary: 'Explain an answer',
  description:
    'Returns what a GET request would answer for the caller, and why: the rules of the specification in the order in which they ' +
    'apply, how many rows each leaves, and the first ten that it removes. What the caller may not see is never counted or named. ' +
    'With Correlation, explains a request from the request log: of the authorization server or of the REST API.',
  query: Type.Object({
    Request: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: maxExplained, examples: [exampleRequest] },
        description: 'Path and query of the request, with or without the base URL path. Send this or Correlation.',
      }),
    ),
    Correlation: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 200 },
        description:
          'The X-Correlation of a response (percent-encoded in a URL), or the Id of an entry of the request log.',
      }),
    ),
  }),
  responses: { 200: ExplanationSchema },
  errors: ['NoResultFound'],
  config: { rateLimit: 'ExplainMinute' },
})

type Readers = Readonly<{ explainer: Explainer; readParams: Read; readQuery: Read }>
type Read = (data: unknown) => unknown

type Dependencies = Readonly<{
  basePath: string
  explainers: readonly Explainer[]
  /** Finds a request of the log that the caller may see. */
  findLogged(id: string, caller: Caller): Promise<Logged | undefined>
}>

/** One text for all causes, so that it reveals nothing. */
const notLogged =
  'No request with this id was found, or you may not see it. The id is the X-Correlation header of a response. A node keeps its latest 5,000 requests, until it restarts, while REQUEST_LOG is on. A request without an app or a token that the service knows is shown by refdesk log only.'

/** Whether GET requests to a path can be explained. Called before the routes are added. */
export function explainedPaths(server: Server): (path: string) => boolean {
  const patterns: string[] = []
  server.addHook('onRoute', ({ url, config }) => {
    if (config?.isExplained) patterns.push(url)
  })
  return (path) => patterns.some((pattern) => paramsOf(server, pattern, path))
}

/** A path without parameters wins, such as that of the filter values among events. */
const paramsOf = (server: Server, pattern: string, path: string): Record<string, string> | undefined =>
  pattern.includes(':') && server.hasRoute({ method: 'GET', url: path.toLowerCase() })
    ? undefined
    : matchPath(pattern, path)

/** Explains the answers of other operations: each domain explains its own, by the rules that it answers by. */
export function explainRoutes(api: Server, { basePath, explainers, findLogged }: Dependencies): void {
  const known = explainers.map(readersOf)
  const paths = explainers.map(({ operation: { path } }) => path)
  const inProgress = new InProgress()
  const explainTarget = (text: string, caller: Caller): Promise<Explanation> | undefined => {
    const target = parseTarget(text, basePath)
    for (const readers of known) {
      const { path } = readers.explainer.operation
      const params = paramsOf(api, `${basePath}${path}`, `${basePath}${target.path}`)
      if (params) return explain(readers, { caller, params, text: target.queryText }, target.path)
    }
    return undefined
  }
  const explainEntry = async (id: string, caller: Caller): Promise<Explanation> => {
    const logged = await findLogged(id, caller)
    if (!logged) throw new Problem('NoResultFound', notLogged)
    const { target, sent, isOwn, explanation } = logged
    const isBelow = target?.toLowerCase().startsWith(`${basePath}/`) === true
    const explained = isBelow ? await explainTarget(target, caller) : undefined
    return explained ? { ...explained, Steps: [answersNow(sent, isOwn), ...explained.Steps] } : explanation
  }
  addOperation(api, explainRequest, ({ caller, query }: RequestOf<typeof explainRequest>) => {
    const asking = caller as Caller
    const { Request: text, Correlation: id } = query
    if ((text === undefined) === (id === undefined)) throw invalid({ Request: ['Send either Request or Correlation.'] })
    return inProgress.run(asking.UserKey, async () => {
      const explained = await (id === undefined ? explainTarget(text as string, asking) : explainEntry(id, asking))
      if (!explained)
        throw invalid({
          Request: [
            `Can be explained: GET ${paths.join(', ')}. For any other request send Correlation, the X-Correlation of its response.`,
          ],
        })
      return explained
    })
  })
}

/** The rules are those of now, and for the caller. */
function answersNow(sent: ExplanationStep, isOwn: boolean): ExplanationStep {
  const whose = isOwn ? '' : ' Another user sent it.'
  return { ...sent, Text: `${sent.Text}${whose} The following steps are what it answers for you now.` }
}

function readersOf(explainer: Explainer): Readers {
  const { params, query, path } = explainer.operation
  const readerOf = (schema: TSchema | undefined, httpPart: string): Read => {
    if (!schema) return () => ({})
    const validate = compileValidator({ schema, httpPart, method: 'GET', url: path }) as (data: unknown) => {
      value: unknown
    }
    return (data) => validate(data).value
  }
  return { explainer, readParams: readerOf(params, 'params'), readQuery: readerOf(query, 'querystring') }
}

type Sent = Readonly<{ caller: Caller; params: Record<string, string>; text: string }>

async function explain(readers: Readers, { caller, params, text }: Sent, path: string): Promise<Explanation> {
  const { operation: declared, explain } = readers.explainer
  const request = { Request: text === '' ? path : `${path}?${text}`, OperationId: declared.operationId }
  try {
    const parts = readParts(readers, params, text)
    return { ...request, ...explanationOf(await explain({ caller, ...parts } as Asked<typeof declared>)) }
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 400 && error.status !== 404)) throw error
    return { ...request, ...explanationOf(rejected(error)) }
  }
}

/** The parameters by the schema of the operation itself. Errors are those that it answers with. */
function readParts({ readParams, readQuery }: Readers, params: Record<string, string>, text: string) {
  const query = parseQuery(text)
  requireFewParameters({ query })
  const parts = { params: readParams(params), query: readQuery(query) }
  requireValid({ ...parts, body: undefined })
  return parts
}

function rejected(problem: Problem): Explained {
  const isMissing = problem.status === 404
  const step = plainStep({
    section: isMissing ? '§5.2' : '§2.1',
    title: isMissing ? 'Not found' : 'Rejected',
    text: isMissing ? `${problem.message} Both get the same answer.` : `Rejected because: ${problem.message}`,
  })
  return { summary: problem.message, steps: [step], problem }
}

function explanationOf({ summary, steps, rows = [], count, problem }: Explained) {
  return {
    Status: problem?.status ?? 200,
    ...(problem && { ErrorCode: wireCodes[problem.code] ?? problem.code, Message: problem.message }),
    ...(problem?.modelState && { ModelState: problem.modelState }),
    Summary: summary,
    ...(count !== undefined && { Count: count }),
    Rows: rows.slice(0, maxNamed),
    Steps: [...steps],
  }
}

/** An explanation takes longer than the request that it explains. */
const maxOfUser = 2
const maxOfNode = 8

/** Bounds how many explanations are made at once: by a user, and by the node. */
export class InProgress {
  readonly #users = new KeyCounts()
  #total = 0

  async run<Result>(userKey: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#users.of(userKey) >= maxOfUser || this.#total >= maxOfNode)
      throw rateLimitExceeded(1, 'Too many explanations at once.')
    this.#users.add(userKey, 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      this.#users.add(userKey, -1)
      this.#total -= 1
    }
  }
}
