import type { FastifyReply } from 'fastify'
import { basePathOf } from '../../core/environment.ts'
import { isOutage } from '../../core/network/outage.ts'
import { plural } from '../../core/text.ts'
import { type Html, html } from '../../http/html/html.ts'
import { ApiError } from './api.ts'
import { sectionOf } from './chrome/menu.ts'
import { PageContext } from './context.ts'
import type { Exchange } from './dependencies.ts'
import type { Link } from './elements.ts'
import { readSession } from './session.ts'

/** A page that is one message, with a link to continue. */
export function renderMessage(
  ctx: PageContext,
  status: number,
  title: string,
  text: string,
  [action, href]: Link,
  more?: Html,
): FastifyReply {
  return ctx.render({
    title,
    section: '',
    status,
    body: html`<div class="card state"><p>${text}</p>
<p><a class="button" href="${href}">${action}</a></p>
<p class="small quiet">Request ID for support: <code>${ctx.request.id}</code></p></div>${more}`,
  })
}

const homeLink: Link = ['Go to the home page', '/']

export function renderNotFound(ctx: PageContext): FastifyReply {
  const text = 'There is no page at this address. Check it for typos; the page may also have been removed.'
  return renderMessage(ctx, 404, 'Page not found', text, homeLink)
}

/** The 404 page for browsers outside the console. Programs and API paths get JSON. */
export function notFoundPage({ deps, request, reply }: Exchange): FastifyReply | undefined {
  const { method, url, headers } = request
  const isApi = url.toLowerCase().startsWith(`${basePathOf(deps.environment)}/`)
  if (method !== 'GET' || isApi || !headers.accept?.includes('text/html')) return undefined
  reply.header('vary', 'accept')
  return renderNotFound(new PageContext({ deps, request, reply }, readSession({ deps, request })))
}

/** The page itself or, for a form, its section: a form may be posted to a path that has no page. */
const currentPage = ({ isSafe, request: { url } }: PageContext): string => (isSafe ? url : sectionOf(url))

export function renderStaleForm(ctx: PageContext): FastifyReply {
  const text = ctx.session
    ? 'The form has expired, or this browser blocks cookies. Reload the page and try again.'
    : 'Your session has ended. Reload the page, sign in and try again.'
  return renderMessage(ctx, 400, 'Nothing was changed', text, ['Reload the page', currentPage(ctx)])
}

const titles: Record<number, string> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict with the current state',
  412: 'Changed in the meantime',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Service unavailable',
}

export function renderApiError(
  ctx: PageContext,
  { status, retryAfter, messages }: ApiError,
  more?: Html,
): FastifyReply {
  if (retryAfter !== undefined) ctx.reply.header('retry-after', retryAfter)
  const user = status === 404 ? ctx.session?.userName : undefined
  const rights = user ? [`You are signed in as ${user}; other users may see more.`] : []
  const seconds = Number(retryAfter)
  const isLimited = status === 429 && seconds > 0
  const text = isLimited ? `Try again in ${plural(seconds, 'second')}.` : [...messages, ...rights].join(' ')
  return renderMessage(ctx, status, titles[status] ?? 'Something went wrong', text, nextStep(ctx, status), more)
}

function nextStep(ctx: PageContext, status: number): Link {
  if (status === 429 || status === 503) return ['Try again', currentPage(ctx)]
  const isInstrument = status === 404 && sectionOf(ctx.request.url) === '/console/instruments'
  return isInstrument ? ['Search instruments', '/console/instruments'] : homeLink
}

/** The error handler of all pages: always HTML, never JSON. */
export function handlePageError(error: unknown, exchange: Exchange): FastifyReply {
  const { request, reply } = exchange
  const ctx = new PageContext(exchange, readSession(exchange))
  // The page may already have started a redirect.
  reply.removeHeader('location')
  if (error instanceof ApiError) return renderApiError(ctx, error)
  const { status: own, statusCode } = error as { status?: number; statusCode?: number }
  const status = own ?? statusCode
  if (isOutage(error) || status === 503) return renderApiError(ctx, ApiError.unavailable())
  if (status !== undefined && status < 500) return renderApiError(ctx, new ApiError(status, (error as Error).message))
  request.log.error({ err: error }, 'page failed')
  const text = 'An error occurred on our side. Try again; if it happens again, contact the operator of this service.'
  return renderMessage(ctx, 500, 'Internal error', text, ['Try again', currentPage(ctx)])
}
