import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePathOf } from '../../core/environment.ts'
import { isOutage } from '../../core/network/outage.ts'
import { plural } from '../../core/text.ts'
import { hasFormToken } from '../../http/html/form-token.ts'
import { html } from '../../http/html/html.ts'
import type { Server } from '../../http/typed-server.ts'
import { ApiRefusal } from './api.ts'
import { Visit } from './context.ts'
import type { ConsoleParts } from './dependencies.ts'
import { places } from './frame.ts'
import { forgetSession, liveSession, readSession } from './session.ts'

type Answer = FastifyReply | Promise<FastifyReply>
type Show = (visit: Visit) => Answer
type Take = (visit: Visit, form: URLSearchParams) => Answer

const hidden = { schema: { hide: true } } as const

/** Registers pages: who is not signed in is sent to sign in and comes back to the page they wanted. */
export class Pages {
  readonly #server: Server
  readonly #parts: ConsoleParts

  constructor(server: Server, parts: ConsoleParts) {
    this.#server = server
    this.#parts = parts
  }

  get(path: string, show: Show): void {
    this.#server.get(path, hidden, async (request, reply) => {
      const session = await liveSession(this.#parts, request, reply)
      if (!session) return signInFirst(reply, request.url)
      return this.#answer(new Visit(this.#parts, request, reply, session), show)
    })
  }

  /** A page that is seen without signing in too, and so also after a session has ended. */
  getOpen(path: string, show: Show): void {
    this.#server.get(path, hidden, async (request, reply) => {
      const session = await liveSession(this.#parts, request, reply)
      const signedOut = () => show(new Visit(this.#parts, request, reply, undefined))
      return this.#answer(new Visit(this.#parts, request, reply, session), show, signedOut)
    })
  }

  /** A form of ours. What came without its token, or (unless `isOpen`) after the session ended, changes nothing. */
  post(path: string, take: Take, { isOpen = false } = {}): void {
    this.#server.post(path, hidden, async (request, reply) => {
      const form = new URLSearchParams(String(request.body ?? ''))
      const session = await liveSession(this.#parts, request, reply)
      const visit = new Visit(this.#parts, request, reply, session)
      if ((!session && !isOpen) || !hasFormToken(this.#parts.publicUrl, request, form)) return staleForm(visit)
      return this.#answer(visit, () => take(visit, form))
    })
  }

  /** `ended` answers when the session turns out to be over: signed out elsewhere, revoked, or the clock has travelled. */
  async #answer(visit: Visit, show: Show, ended: () => Answer = () => signInAgain(visit)): Promise<FastifyReply> {
    try {
      return await show(visit)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      if (error.status !== 401) return refusalPage(visit, error)
      // A form may come twice: what the first one has renewed must not be forgotten by the second.
      if (visit.isReading) forgetSession(this.#parts, visit.reply)
      return ended()
    }
  }
}

function signInFirst(reply: FastifyReply, next: string): FastifyReply {
  const query = new URLSearchParams({ next })
  return reply.header('cache-control', 'no-store').redirect(`/console/login?${query}`, 303)
}

function signInAgain({ parts, request, reply }: Visit): FastifyReply {
  const visit = new Visit(parts, request, reply, undefined)
  return visit.isReading ? signInFirst(reply, request.url) : staleForm(visit)
}

/** The page itself or, for a form, its place: where it was posted to need not be a page. */
function pageOf({ isReading, request: { url } }: Visit): string {
  if (isReading) return url
  return places.find(({ href }) => href !== '/' && url.startsWith(href))?.href ?? '/'
}

function staleForm(visit: Visit): FastifyReply {
  const place = pageOf(visit)
  return sayWhy(visit, {
    status: 400,
    title: 'Nothing was changed',
    sentence: visit.session
      ? 'The form was open for too long, or this browser keeps no cookies for it. Open the page again and repeat it.'
      : 'Your session ended meanwhile. Open the page again, sign in if it asks you to, and repeat what you wanted to do.',
    href: place,
    action: 'Open the page again',
  })
}

const titles: Record<number, string> = {
  400: 'That cannot be asked for',
  403: 'You may not do this',
  404: 'This is not here',
  409: 'That does not fit the present state',
  412: 'It was changed meanwhile',
  429: 'Too many requests',
  503: 'The service cannot answer right now',
}

/** A refusal of the API that the page itself had no place for: its own words, and what to do. */
export function refusalPage(visit: Visit, refusal: ApiRefusal): FastifyReply {
  if (refusal.retryAfter !== undefined) visit.reply.header('retry-after', refusal.retryAfter)
  const user = refusal.status === 404 ? visit.session?.userName : undefined
  const rights = user ? [`You are signed in as ${user}; another user may see more.`] : []
  const seconds = Number(refusal.retryAfter)
  const wait =
    refusal.status === 429 && seconds > 0 && `You asked a little too often. Wait ${plural(seconds, 'second')}.`
  return sayWhy(visit, {
    status: refusal.status,
    title: titles[refusal.status] ?? 'Something went wrong',
    sentence: wait || [...refusal.sentences, ...rights].join(' '),
    ...wayOn(visit, refusal.status),
  })
}

function wayOn(visit: Visit, status: number): { href: string; action: string } {
  if (status === 429 || status === 503) return { href: pageOf(visit), action: 'Try again' }
  if (status === 404 && reference.test(visit.request.url))
    return { href: '/console/instruments', action: 'To the instruments' }
  return { href: '/', action: 'To the start page' }
}

/** Pages of one instrument or of what belongs to it. */
const reference = /^\/console\/(instruments|options|futures|schedule)\//

export type Why = { status: number; title: string; sentence: string; href: string; action: string }

export function sayWhy(visit: Visit, { status, title, sentence, href, action }: Why): FastifyReply {
  return visit.show(
    {
      title,
      place: undefined,
      body: html`<div class="card state"><p>${sentence}</p>
<p><a class="button" href="${href}">${action}</a></p>
<p class="small quiet">If you report this, name the request <code>${visit.request.id}</code>.</p></div>`,
    },
    { status },
  )
}

export function sayMissing(visit: Visit): FastifyReply {
  return sayWhy(visit, {
    status: 404,
    title: 'This is not here',
    sentence: 'There is no page at this address. It may be mistyped, or what it showed is gone.',
    href: '/',
    action: 'To the start page',
  })
}

/** The same for an address outside of the console, where a person looks: programs and the API are answered as JSON. */
export function missingPage(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { method, url, headers } = request
  const isApi = url.toLowerCase().startsWith(`${basePathOf(parts.environment)}/`)
  if (method !== 'GET' || isApi || !headers.accept?.includes('text/html')) return undefined
  return sayMissing(new Visit(parts, request, reply.header('vary', 'accept'), readSession(parts, request)))
}

/** What a page of ours threw: the database is away, or we made a mistake. Never JSON: a person is looking. */
export function answerPageError(
  parts: ConsoleParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const visit = new Visit(parts, request, reply, readSession(parts, request))
  // What the page had begun to answer is over.
  reply.removeHeader('location')
  if (error instanceof ApiRefusal) return refusalPage(visit, error)
  const { status: own, statusCode } = error as { status?: number; statusCode?: number }
  const status = own ?? statusCode
  if (isOutage(error) || status === 503)
    return refusalPage(visit, new ApiRefusal(503, '{"Message":"Nothing was changed. Try again shortly."}', '1'))
  if (status !== undefined && status < 500)
    return refusalPage(visit, new ApiRefusal(status, JSON.stringify({ Message: (error as Error).message })))
  request.log.error({ err: error }, 'page failed')
  return sayWhy(visit, {
    status: 500,
    title: 'Something went wrong on our side',
    sentence: 'Nothing you did is to blame. Try again; if it stays so, tell whoever runs this service.',
    href: pageOf(visit),
    action: 'Try again',
  })
}
