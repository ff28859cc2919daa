import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasFormToken } from '../../http/html/form-token.ts'
import type { Server } from '../../http/typed-server.ts'
import { ApiError } from './api.ts'
import { PageContext } from './context.ts'
import type { ConsoleDependencies, Exchange } from './dependencies.ts'
import { renderApiError, renderStaleForm } from './messages.ts'
import { clearSession, currentSession } from './session.ts'

type Result = FastifyReply | Promise<FastifyReply>
type GetHandler = (ctx: PageContext) => Result
export type PostHandler = (ctx: PageContext, form: URLSearchParams) => Result

const hidden = { schema: { hide: true } } as const

type PageOptions = Readonly<{
  isPublic?: boolean
  unlogged?: boolean
  bodyLimit?: number
  /** Rejects a request before its body is read. */
  guard?(exchange: Exchange): Promise<void>
}>

/** An unlogged page is not in the request log. */
const routeOf = ({ unlogged = false, bodyLimit, guard }: PageOptions, deps: ConsoleDependencies) => ({
  ...hidden,
  config: { unlogged },
  ...(bodyLimit !== undefined && { bodyLimit }),
  ...(guard && {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => guard({ deps, request, reply }),
  }),
})

/** The fields of a form, without its files. */
function fieldsOf(body: unknown): URLSearchParams {
  if (!(body instanceof FormData)) return new URLSearchParams(String(body ?? ''))
  const fields = [...body.entries()].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return new URLSearchParams(fields)
}

/** Registers pages. Users who are not signed in are sent to the sign-in and return to the page they requested. */
export class PageRouter {
  readonly #server: Server
  readonly #deps: ConsoleDependencies

  constructor(server: Server, deps: ConsoleDependencies) {
    this.#server = server
    this.#deps = deps
  }

  get(path: string, handler: GetHandler, options: PageOptions = {}): void {
    this.#server.get(path, routeOf(options, this.#deps), async (request, reply) => {
      const exchange = { deps: this.#deps, request, reply }
      const session = await currentSession(exchange)
      return session ? this.#run(new PageContext(exchange, session), handler) : signInFirst(reply, request.url)
    })
  }

  getPublic(path: string, handler: GetHandler): void {
    this.#server.get(path, hidden, async (request, reply) => {
      const exchange = { deps: this.#deps, request, reply }
      const ctx = new PageContext(exchange, await currentSession(exchange))
      return this.#run(ctx, handler, () => handler(new PageContext(exchange)))
    })
  }

  /** A form. Without a valid form token or (unless `isPublic`) a session it changes nothing. */
  post(path: string, handler: PostHandler, options: PageOptions = {}): void {
    this.#server.post(path, routeOf(options, this.#deps), async (request, reply) => {
      const exchange = { deps: this.#deps, request, reply }
      const form = fieldsOf(request.body)
      const ctx = new PageContext(exchange, await currentSession(exchange))
      const isValid = (options.isPublic || ctx.session) && hasFormToken(this.#deps.publicUrl, request, form)
      return isValid ? this.#run(ctx, () => handler(ctx, form)) : renderStaleForm(ctx)
    })
  }

  /** `onEnded` runs if the API reports that the session has ended: signed out elsewhere, revoked or expired. */
  async #run(ctx: PageContext, handler: GetHandler, onEnded = () => signInAgain(ctx) as Result): Promise<FastifyReply> {
    try {
      return await handler(ctx)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 401) return renderApiError(ctx, error)
      // A form may be submitted twice: the second one must not clear the session that the first one renewed.
      if (ctx.isSafe) clearSession(ctx)
      return onEnded()
    }
  }
}

function signInFirst(reply: FastifyReply, next: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`/console/login?${new URLSearchParams({ next })}`, 303)
}

function signInAgain(ctx: PageContext): FastifyReply {
  return ctx.isSafe ? signInFirst(ctx.reply, ctx.request.url) : renderStaleForm(new PageContext(ctx))
}
