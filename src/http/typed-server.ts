import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../core/caller.ts'
import type { ProblemCode } from '../core/problem.ts'
import type { Permission } from '../core/rights/permissions.ts'
import type { BucketName } from './limits/buckets.ts'
import type { HeaderName } from './openapi/headers.ts'

/** Gives a handler the types of its route's schemas. A Buffer is an already serialized response. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> | Buffer : unknown
}

export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

type DocumentedResponse = Readonly<{
  description: string
  type?: string
  example?: string
  headers?: readonly HeaderName[]
}>

declare module 'fastify' {
  interface FastifyInstance {
    /** True while the server closes: not ready for new work, but still answering requests. */
    draining: boolean
    requestsInFlight: number
    /** How many connections are open, and how many were rejected. */
    connections: Readonly<{ count: number; rejected: number }>
    /** How many requests were answered that could not be read, by status. */
    clientErrors: ReadonlyMap<number, number>
    /** The methods of a path, sorted; empty for an unknown path. */
    allowedMethods(path: string): string[]
    /** The path that was probably meant: with typos corrected, and below {base_url} instead of that of another environment. */
    suggestedPath(path: string): string | undefined
  }
  interface FastifyRequest {
    /** Set by the bearer check; null before it and on routes without it. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The permission of an operation that does more than read. */
    permission?: Permission
    rateLimit?: BucketName
    /** A batch: its parts are counted instead. */
    countedByParts?: boolean
    /** Called without a token, and not counted. */
    withoutToken?: boolean
    /** Not shed under load: a failing health check would get the node killed and move its load to the others. */
    alwaysAnswered?: boolean
    /** Not in the request log: health checks, and the log itself. */
    unlogged?: boolean
    /** Anyone who knows the path may read it. */
    secretPath?: boolean
    /** What to do about a body that is too large. */
    tooLargeAdvice?: string
  }
  interface FastifySchema {
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
    documented?: {
      query?: TSchema
      form?: TSchema
      /** Whether the form may also be multipart/form-data or part of the query. */
      formAnywhere?: boolean
      textBody?: Readonly<{ type: string; description: string; example: string }>
      texts?: readonly string[]
      /** Responses that are not JSON: a redirect, a page, a text. */
      responses?: Readonly<{ [status: number]: DocumentedResponse; default?: DocumentedResponse }>
      /** Headers of a successful response besides the common ones. */
      headers?: readonly HeaderName[]
      withoutToken?: boolean
      byApp?: boolean
      ifMatch?: boolean
      /** Whether the response has an ETag, so that If-None-Match is supported. */
      etag?: boolean
      /** Whether it returns only the errors that it declares, and not those of every REST operation. */
      onlyOwnErrors?: boolean
      /** Error codes besides those that every operation may return. */
      errors?: readonly ProblemCode[]
    }
  }
}
