import type { components, paths } from './openapi.ts'

/** What the interface speaks of, by name: `Schemas['InstrumentSummary']`. */
export type Schemas = components['schemas']

/** How a path of the REST interface begins: what stands below {base_url}, and not at the origin as /token does. */
type Group = 'ca' | 'developer' | 'port' | 'ref' | 'root' | 'x'

/** The ways to call. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Every path of the REST interface, as the API document writes it. A batch is several calls in one, which these types
 *  cannot tell apart. */
export type RestPath = Exclude<Extract<keyof paths, `/${Group}/${string}`>, `/${Group}/batch`>

/** The paths that can be called this way. */
export type PathOf<M extends Method> = {
  [P in RestPath]: paths[P] extends { [_ in M]: object } ? P : never
}[RestPath]

type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends { [_ in M]: infer Operation }
  ? Operation
  : never

type JsonOrText<Content> = 'application/json' extends keyof Content
  ? Content['application/json' & keyof Content]
  : Content[keyof Content]

type BodyOf<Response> = Response extends { content: infer Content } ? JsonOrText<Content> : undefined

type Success = 200 | 201 | 202 | 204

/** What a path answers with when all is well; undefined where there is no body. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: infer Responses } ? BodyOf<Responses[keyof Responses & Success]> : never

type PathPart<Operation> = Operation extends { parameters: { path: infer Values } } ? { path: Values } : unknown

type QueryPart<Operation> = Operation extends { parameters: { query: infer Values } }
  ? { query: Values }
  : Operation extends { parameters: { query?: infer Values } }
    ? { query?: Values }
    : unknown

type BodyPart<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: JsonOrText<Content> }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: JsonOrText<Content> }
    : unknown

/** What any call can be given besides its parameters. */
export interface CallOptions {
  /** Ends the call: the request, and any wait before the next try. It then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long one try may take, in milliseconds, its answer included; instead of the client's own. */
  timeoutMs?: number | undefined
  /** The ETag that was read: the change is refused with 412 when there is a newer one. */
  ifMatch?: string | undefined
  /** More headers, such as `X-Request-Id`, which comes back in every log line and error. With an `Accept` of your own the
   *  answer may be text, which its type does not tell. */
  headers?: Record<string, string> | undefined
}

/** What a call is given: the values of its path, its query, its body, all as the API document has them. */
export type Init<P extends keyof paths, M extends Method> = PathPart<OperationOf<P, M>> &
  QueryPart<OperationOf<P, M>> &
  BodyPart<OperationOf<P, M>> &
  CallOptions

/** It may be left out where nothing of it is needed. */
export type InitArgs<P extends keyof paths, M extends Method> =
  Record<never, never> extends Init<P, M> ? [init?: Init<P, M>] : [init: Init<P, M>]

/** The paths that answer page by page. */
export type FeedPath = {
  [P in PathOf<'get'>]: '__next' extends keyof AnswerOf<P, 'get'> ? P : never
}[PathOf<'get'>]

/** One entry of a path that answers page by page. */
export type RowOf<P extends FeedPath> = AnswerOf<P, 'get'> extends { Data: (infer Row)[] } ? Row : never
