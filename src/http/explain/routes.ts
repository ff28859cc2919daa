import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { type Explanation, Explanation as ExplanationSchema, exampleRequest } from '../../core/explain/schema.ts'
import { maxNamed, plainStep } from '../../core/explain/step-tally.ts'
import { invalid, Problem, wireCodes } from '../../core/problem.ts'
import { parseValues } from '../input/query.ts'
import { compileValidator, requireValid } from '../input/validation.ts'
import { limits } from '../limits/buckets.ts'
import { addOperation, operation, type RequestOf } from '../operation.ts'
import type { Server } from '../typed-server.ts'
import type { Asked, Explained, Explainer } from './explainer.ts'
import { explainPath, maxExplained } from './help-link.ts'
import { InProgress } from './in-progress.ts'
import { matchPath, parseTarget } from './rules/target.ts'

export const explainRequest = operation({
  method: 'GET',
  path: explainPath,
  operationId: 'explainRequest',
  summary: 'Explain an answer',
  description:
    'Returns what a GET request would answer for the caller, and why: the rules of the specification in the order in which they ' +
    'apply, how many rows each leaves, and the first ten that it removes. What the caller may not see is never counted or named.',
  query: Type.Object({
    Request: Type.String({
      ...{ minLength: 1, maxLength: maxExplained, examples: [exampleRequest] },
      description: 'Path and query of the request, with or without the base URL path.',
    }),
  }),
  responses: { 200: ExplanationSchema },
  config: { rateLimit: 'ExplainMinute' },
})

type Readers = Readonly<{ explainer: Explainer; readParams: Read; readQuery: Read }>
type Read = (data: unknown) => unknown

type Dependencies = Readonly<{ basePath: string; explainers: readonly Explainer[] }>

/** Explains the answers of other operations: each domain explains its own, by the rules that it answers by. */
export function explainRoutes(api: Server, { basePath, explainers }: Dependencies): void {
  const known = explainers.map(readersOf)
  const paths = explainers.map(({ operation: { path } }) => path)
  const inProgress = new InProgress()
  /** A path without parameters wins, such as that of the filter values among events. */
  const isOther = (path: string) => api.hasRoute({ method: 'GET', url: `${api.prefix}${path.toLowerCase()}` })
  addOperation(api, explainRequest, (request: RequestOf<typeof explainRequest>) => {
    const caller = request.caller as Caller
    const target = parseTarget(request.query.Request, basePath)
    for (const readers of known) {
      const { path } = readers.explainer.operation
      const params = matchPath(path, target.path)
      if (!params || (path.includes(':') && isOther(target.path))) continue
      const asked = { caller, params, text: target.queryText }
      return inProgress.run(caller.UserKey, () => explain(readers, asked, target.path))
    }
    throw invalid({ Request: [`Can be explained: GET ${paths.join(', ')}.`] })
  })
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
  const { values, count } = parseValues(text)
  if (count > limits.queryParameters)
    throw new Problem('InvalidRequest', `A query has at most ${limits.queryParameters} parameters.`)
  const parts = { params: readParams(params), query: readQuery(values) }
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
