import type { components, paths } from './openapi.ts'

/** The schemas of the API by name, such as `Schemas['InstrumentSummary']`. */
export type Schemas = components['schemas']

/** The service groups. Their paths are below {base_url}; others, such as /token, are not. */
type Group = 'ca' | 'developer' | 'port' | 'ref' | 'root' | 'x'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Every path of the REST API, except batches, whose parts these types cannot describe. */
export type RestPath = Exclude<Extract<keyof paths, `/${Group}/${string}`>, `/${Group}/batch`>

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

/** The body of a successful response; undefined if it has none. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: infer Responses } ? BodyOf<Responses[keyof Responses & Success]> : never

type PathInput<Operation> = Operation extends { parameters: { path: infer Values } } ? { path: Values } : unknown

type QueryInput<Operation> = Operation extends { parameters: { query: infer Values } }
  ? { query: Values }
  : Operation extends { parameters: { query?: infer Values } }
    ? { query?: Values }
    : unknown

type BodyInput<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: JsonOrText<Content> }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: JsonOrText<Content> }
    : unknown

export interface CallOptions {
  /** Aborts the request and any wait before a retry. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** The ETag that was read. Fails with 412 if there is a newer version. */
  ifMatch?: string | undefined
  /** More headers, such as `X-Request-Id`, which identifies the call in the log. With another `Accept` the body may be text,
   *  which the type does not show. */
  headers?: Record<string, string> | undefined
}

/** The parameters and the body of a call, and its options. */
export type Init<P extends keyof paths, M extends Method> = PathInput<OperationOf<P, M>> &
  QueryInput<OperationOf<P, M>> &
  BodyInput<OperationOf<P, M>> &
  CallOptions

/** Optional if the call requires nothing. */
export type InitArgs<P extends keyof paths, M extends Method> =
  Record<never, never> extends Init<P, M> ? [init?: Init<P, M>] : [init: Init<P, M>]

export type FeedPath = {
  [P in PathOf<'get'>]: '__next' extends keyof AnswerOf<P, 'get'> ? P : never
}[PathOf<'get'>]

export type RowOf<P extends FeedPath> = AnswerOf<P, 'get'> extends { Data: (infer Row)[] } ? Row : never
