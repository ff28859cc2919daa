import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { MaybePromise } from '../core/async/maybe-promise.ts'
import type { ProblemCode } from '../core/problem.ts'
import type { Permission } from '../core/rights/permissions.ts'
import type { Server } from './typed-server.ts'

type Documented = Omit<NonNullable<FastifySchema['documented']>, 'errors'>

/** One operation of the API: route, schemas, texts and errors. Its handler is a function next to it. */
export type Operation = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below {base_url}. */
  path: string
  operationId: string
  summary: string
  description: string
  /** The permission that it needs (core/rights/permissions.ts). An operation without one only reads. */
  permission?: Permission
  /** By default the service group: the first segment of the path. */
  tags?: readonly string[]
  params?: TSchema
  query?: TSchema
  body?: TSchema
  responses?: Readonly<Record<number, TSchema>>
  /** Error codes besides those that every operation may return. */
  errors?: readonly ProblemCode[]
  documented?: Documented
  config?: FastifyContextConfig
  bodyLimit?: number
}>

/** Keeps the literal types of an operation, from which its handler's types follow. */
export const operation = <const O extends Operation>(declared: O): O => declared

type StaticOf<S> = S extends TSchema ? Static<S> : unknown
type ResponseOf<O extends Operation> =
  O['responses'] extends Readonly<Record<number, TSchema>>
    ? StaticOf<O['responses'][keyof O['responses']]> | Buffer
    : unknown

export type RequestOf<O extends Operation> = FastifyRequest<{
  Params: StaticOf<O['params']>
  Querystring: StaticOf<O['query']>
  Body: StaticOf<O['body']>
}>

export type Handler<O extends Operation> = (
  request: RequestOf<O>,
  reply: FastifyReply,
) => MaybePromise<ResponseOf<O> | FastifyReply | undefined>

export function addOperation<O extends Operation>(api: Server, declared: O, handler: Handler<O>): void {
  const { method, path, params, query, body, responses, errors, documented, config, permission, bodyLimit, ...texts } =
    declared
  api.route({
    method,
    url: path,
    config: { ...config, ...(permission && { permission }) },
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: {
      tags: [path.split('/')[1] ?? ''],
      ...texts,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(responses && { response: responses }),
      documented: { ...documented, ...(errors && { errors }) },
    },
    handler: handler as never,
  })
}
