import type { FastifyReply, FastifyRequest } from 'fastify'
import { wallClock } from '../../core/time/wall-clock.ts'
import { formTokenFor } from '../../http/html/form-token.ts'
import { type Html, html } from '../../http/html/html.ts'
import { page, pageHeaders } from '../../http/html/layout.ts'
import { parseQuery, queryText, valuesByName } from '../../http/input/query.ts'
import type { ApiClient } from './api.ts'
import type { Chrome } from './chrome/chrome.ts'
import { sectionOf } from './chrome/menu.ts'
import { isZone, readZone, type ZoneSetting } from './chrome/zone.ts'
import type { ConsoleDependencies, Exchange } from './dependencies.ts'
import type { Reader } from './format.ts'
import { frame, mainContent, type PageContent } from './frame.ts'
import type { ConsoleSession } from './session.ts'

/** The scripts of every page. */
const everywhere = ['clock.js', 'toast.js', 'copy.js', 'palette.js', 'keys.js'] as const

const headers = pageHeaders({ scripts: true })

/** One request for a page: its input, the session, the API and the response. */
export class PageContext implements Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly deps: ConsoleDependencies
  readonly session: ConsoleSession | undefined
  readonly isSafe: boolean
  readonly #query: Map<string, string[]>
  #api: ApiClient | undefined
  #now: Temporal.Instant | undefined
  #zoneSent: ZoneSetting | undefined
  /** All forms of a page share one token, because the browser keeps only the last cookie. */
  #formToken: string | undefined
  #lacksZone = false

  constructor({ deps, request, reply }: Exchange, session?: ConsoleSession) {
    this.deps = deps
    this.request = request
    this.reply = reply
    this.session = session
    this.isSafe = request.method === 'GET' || request.method === 'HEAD'
    // The query of an unknown path has not passed our parser.
    this.#query = valuesByName(parseQuery(queryText(request)))
  }

  get api(): ApiClient {
    this.#api ??= this.deps.apiFor(this.request, this.session?.accessToken ?? '')
    return this.#api
  }

  /** The same for everything on the page. */
  get now(): Temporal.Instant {
    this.#now ??= this.deps.clock.now()
    return this.#now
  }

  get today(): Temporal.PlainDate {
    return wallClock(this.now, 'UTC').date
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

  /** The time zone of the page: from the query, else the chosen one, else that of the browser, else UTC. */
  get zone(): string {
    this.#lacksZone ||= this.#ownZone.zone === undefined && this.query('zone') === undefined
    return this.#zoneSetting.zone ?? 'UTC'
  }

  get #zoneSetting(): ZoneSetting {
    const asked = this.query('zone')
    return asked !== undefined && isZone(asked) ? { zone: asked, chosen: asked } : this.#ownZone
  }

  /** Without that of the query. */
  get #ownZone(): ZoneSetting {
    this.#zoneSent ??= readZone(this.request)
    return this.#zoneSent
  }

  get reader(): Reader {
    return { now: this.now, zone: this.zone }
  }

  get formToken(): Html {
    this.#formToken ??= formTokenFor(this.deps.publicUrl, this.request, this.reply)
    return html`<input type="hidden" name="form_token" value="${this.#formToken}">`
  }

  get chrome(): Chrome {
    const { deps, session, request, formToken } = this
    // An instant takes longer than the rest of the clock, and most pages need none.
    const now = this.#now ?? { epochMilliseconds: deps.clock.nowMs() }
    const { zone, chosen } = this.#zoneSetting
    return {
      environment: deps.environment,
      hasRequestLog: deps.hasRequestLog,
      user: session && { name: session.userName, formToken },
      isOperator: session?.isOperator === true,
      formToken,
      next: request.method === 'GET' ? request.url : '/',
      clock: { now, zone: zone ?? 'UTC', travel: deps.travel() },
      chosenZone: chosen,
      isZoneKnown: zone !== undefined,
      activeFaults: session ? deps.activeFaults(session.clientKey) : 0,
      demoUsers: deps.demo?.users ?? [],
      needsZone: this.#lacksZone && request.method === 'GET',
    }
  }

  render(content: PageContent): FastifyReply {
    const { environment } = this.deps
    const { title, section = sectionOf(this.request.url), scripts = [], status = 200 } = content
    const body = frame(this.chrome, section, mainContent(content))
    const whole = page({ environment, title, body, scripts: [...everywhere, ...scripts] })
    return this.reply.code(status).headers(headers).send(String(whole))
  }

  /** After a change: redirects to the page that shows it, so that a reload repeats nothing. */
  redirect(path: string, status: 303 | 307 = 303): FastifyReply {
    // Headers are ASCII only.
    const location = path.toWellFormed().replaceAll(/[^!-~]/g, encodeURIComponent)
    return this.reply.header('cache-control', 'no-store').redirect(location, status)
  }
}
