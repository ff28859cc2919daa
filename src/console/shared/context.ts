import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from '../../http/html/cookies.ts'
import { formTokenFor } from '../../http/html/form-token.ts'
import { type Html, html } from '../../http/html/html.ts'
import { page, pageHeaders } from '../../http/html/layout.ts'
import { sentQuery, valuesByLowerCaseName } from '../../http/input/query.ts'
import type { ApiClient } from './api.ts'
import type { ConsoleDependencies, Exchange } from './dependencies.ts'
import type { Reader } from './format.ts'
import { type Chrome, frame, mainContent, type PageContent, sectionOf } from './frame.ts'
import type { ConsoleSession } from './session.ts'

const zoneCookie = 'refdesk_zone'

/** Accepts zone names only. Temporal would accept offsets too. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Temporal.ZonedDateTime(0n, name)
    return true
  } catch {
    return false
  }
}

/** One request for a page: its input, the session, the API and the response. */
export class PageContext implements Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly deps: ConsoleDependencies
  readonly session: ConsoleSession | undefined
  readonly isSafe: boolean
  readonly now: Temporal.Instant
  readonly today: Temporal.PlainDate
  readonly #query: Map<string, string[]>
  /** All forms of a page share one token, because the browser keeps only the last cookie. */
  #formToken: string | undefined
  #lacksZone = false

  constructor({ deps, request, reply }: Exchange, session?: ConsoleSession) {
    this.deps = deps
    this.request = request
    this.reply = reply
    this.session = session
    this.isSafe = request.method === 'GET' || request.method === 'HEAD'
    this.now = deps.clock.now()
    this.today = this.now.toZonedDateTimeISO('UTC').toPlainDate()
    // The query of an unknown path has not passed our parser.
    this.#query = valuesByLowerCaseName(sentQuery(request))
  }

  get api(): ApiClient {
    return this.deps.apiFor(this.request, this.session?.accessToken ?? '')
  }

  /** A query parameter; names are case-insensitive. */
  query(name: string): string | undefined {
    return this.#query.get(name.toLowerCase())?.[0]
  }

  queryAll(name: string): string[] {
    return [...new Set(this.#query.get(name.toLowerCase()) ?? [])]
  }

  param(name: string): string {
    return (this.request.params as Record<string, string>)[name] ?? ''
  }

  /** The reader's time zone: from the query, else from the browser's cookie, else UTC. */
  get zone(): string {
    const cookie = readCookie('', this.request, zoneCookie)
    this.#lacksZone ||= cookie === undefined && this.query('zone') === undefined
    return [this.query('zone'), cookie].find((zone) => zone !== undefined && isZone(zone)) ?? 'UTC'
  }

  get reader(): Reader {
    return { now: this.now, zone: this.zone }
  }

  get formToken(): Html {
    this.#formToken ??= formTokenFor(this.deps.publicUrl, this.request, this.reply)
    return html`<input type="hidden" name="form_token" value="${this.#formToken}">`
  }

  get chrome(): Chrome {
    const { deps, session, request, now } = this
    const travel = deps.travel()
    return {
      environment: deps.environment,
      hasRequestLog: deps.hasRequestLog,
      user: session && { name: session.userName, formToken: this.formToken },
      next: request.method === 'GET' ? request.url : '/',
      travel: travel && { now, frozen: travel.frozen },
      needsZone: this.#lacksZone && request.method === 'GET',
    }
  }

  render(content: PageContent): FastifyReply {
    const { environment } = this.deps
    const { title, section = sectionOf(this.request.url), scripts = [], status = 200 } = content
    const body = frame(this.chrome, section, mainContent(content))
    return this.reply
      .code(status)
      .headers(pageHeaders({ scripts: true }))
      .send(page({ environment, title, body, scripts: ['clock.js', 'toast.js', 'copy.js', ...scripts] }).toString())
  }

  /** After a change: redirects to the page that shows it, so that a reload repeats nothing. */
  redirect(path: string, status: 303 | 307 = 303): FastifyReply {
    // Headers are ASCII only.
    const location = path.toWellFormed().replaceAll(/[^!-~]/g, encodeURIComponent)
    return this.reply.header('cache-control', 'no-store').redirect(location, status)
  }
}
