import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../core/caller.ts'
import type { ProblemCode } from '../core/problem.ts'
import type { BucketName } from './limits/buckets.ts'
import type { HeaderName } from './openapi/headers.ts'

/** Gives a handler the types of its route's schemas. A Buffer is an answer that was serialized before. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> | Buffer : unknown
}

/** The server, and every scope of it, as routes see it. */
export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

type DocumentedAnswer = Readonly<{
  description: string
  type?: string
  example?: string
  headers?: readonly HeaderName[]
}>

/** All that this project adds to Fastify's own types; nowhere else is this module augmented. */
declare module 'fastify' {
  interface FastifyInstance {
    /** True from the moment the server is asked to close: not ready for new work, still answering what comes. */
    draining: boolean
    /** Requests that were admitted and are not yet answered or given up; health checks are not counted. */
    requestsInFlight: number
    /** The methods that a path answers to, in alphabetical order; empty for an unknown path. */
    allowedMethods(path: string): string[]
    /** The path that there is below {base_url}, for one that leaves {base_url} out or has another environment's. */
    suggestedPath(path: string): string | undefined
  }
  interface FastifyRequest {
    /** Who calls, set by the bearer check; null before it and on routes without it. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** Counts against this bucket of the session instead of `Session`. */
    rateLimit?: BucketName
    /** Not counted itself, because every request that it is made of is. */
    countedByParts?: boolean
    /** Asked before there is a token: nobody is looked for, and nothing is counted. */
    withoutToken?: boolean
    /** Not shed under load: a health check that fails then gets the node killed, and the load goes to the others. */
    alwaysAnswered?: boolean
  }
  interface FastifySchema {
    /** Left out of /openapi.json. */
    hide?: boolean
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
    /** For the API document only, where the route reads its parameters itself (forms, repeated parameters). */
    documented?: {
      query?: TSchema
      form?: TSchema
      /** Whether the form may come as multipart/form-data too, or not at all, because the query will do. */
      formAnywhere?: boolean
      /** A body of another type, as text. */
      textBody?: Readonly<{ type: string; description: string; example: string }>
      /** Media types that the answer can be had in as text. */
      texts?: readonly string[]
      /** Answers that are no JSON: a redirect, a page, a text. */
      answers?: Readonly<{ [status: number]: DocumentedAnswer; default?: DocumentedAnswer }>
      /** Headers of a success, beside those that every answer has. */
      headers?: readonly HeaderName[]
      withoutToken?: boolean
      /** Whether it is the app itself that calls, by its key and secret. */
      byApp?: boolean
      /** Whether a token that may only read will do, although the method is one of change. */
      readOnlyToken?: boolean
      /** Whether If-Match is compared. */
      ifMatch?: boolean
      /** Whether the answer has an ETag, which If-None-Match is compared with. */
      etag?: boolean
      /** Whether it is refused only by what it declares itself, and not as REST operations are. */
      onlyOwnErrors?: boolean
      /** Error codes beside those that every operation may answer with. */
      errors?: readonly ProblemCode[]
    }
  }
}
