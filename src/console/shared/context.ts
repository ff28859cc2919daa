import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieValue } from '../../http/html/cookies.ts'
import { formTokenFor } from '../../http/html/form-token.ts'
import { type Html, html } from '../../http/html/html.ts'
import { page, pageHeaders } from '../../http/html/layout.ts'
import { callersQuery, valuesByLowerCaseName } from '../../http/input/query.ts'
import type { Api } from './api.ts'
import type { ConsoleParts } from './dependencies.ts'
import { type FrameProps, frame } from './frame.ts'
import type { ConsoleSession } from './session.ts'

const zoneCookie = 'refdesk_zone'

/** Names of zones only, not of offsets, as Temporal would take both. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Temporal.ZonedDateTime(0n, name)
    return true
  } catch {
    return false
  }
}

/** One look at one page: who looks, what they asked for, and how they are answered. */
export class Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parts: ConsoleParts
  /** Who is signed in; only public pages are seen without. */
  readonly session: ConsoleSession | undefined
  readonly #query: Map<string, string[]>
  /** One for all forms of the page: the browser keeps only the last that it is given. */
  #formToken: string | undefined
  #lacksZone = false

  constructor(parts: ConsoleParts, request: FastifyRequest, reply: FastifyReply, session: ConsoleSession | undefined) {
    this.parts = parts
    this.request = request
    this.reply = reply
    this.session = session
    // Read here: the query of a path that nobody knows has not gone through our parser.
    this.#query = valuesByLowerCaseName(callersQuery(request))
  }

  /** Our own API with the session's token. */
  get api(): Api {
    return this.parts.apiFor(this.request, this.session?.accessToken ?? '')
  }

  /** Whether nothing is to be changed. */
  get isReading(): boolean {
    return this.request.method === 'GET' || this.request.method === 'HEAD'
  }

  get now(): Temporal.Instant {
    return this.parts.clock.now()
  }

  /** A parameter of the address, which is the state of the page; names in any case. */
  asked(name: string): string | undefined {
    return this.#query.get(name.toLowerCase())?.[0]
  }

  /** All values of a parameter, each once. */
  askedAll(name: string): string[] {
    return [...new Set(this.#query.get(name.toLowerCase()) ?? [])]
  }

  /** A part of the path. */
  param(name: string): string {
    return (this.request.params as Record<string, string>)[name] ?? ''
  }

  /** The reader's time zone: from the address, else what their browser told, else UTC. */
  get zone(): string {
    const told = cookieValue(this.request.headers.cookie, zoneCookie)
    this.#lacksZone ||= told === undefined && this.asked('zone') === undefined
    return [this.asked('zone'), told].find((zone) => zone !== undefined && isZone(zone)) ?? 'UTC'
  }

  /** Whether the page would say other times if the browser had told its zone, and can be loaded anew for that. */
  get wantsZone(): boolean {
    return this.#lacksZone && this.request.method === 'GET'
  }

  /** The hidden field that every form of ours carries. */
  get formToken(): Html {
    this.#formToken ??= formTokenFor(this.parts.publicUrl, this.request, this.reply)
    return html`<input type="hidden" name="form_token" value="${this.#formToken}">`
  }

  /** Answers with a page in the frame. `headers` replaces those that every page has. */
  show(
    props: Omit<FrameProps, 'visit'>,
    options: { status?: number; headers?: Record<string, string> } = {},
  ): FastifyReply {
    const { environment } = this.parts
    const scripts = ['clock.js', 'copy.js', ...(props.scripts ?? [])]
    const text = page({ environment, title: props.title, body: frame({ ...props, visit: this }), scripts }).toString()
    return this.reply
      .code(options.status ?? 200)
      .headers({ ...pageHeaders({ scripts: true }), ...options.headers })
      .send(text)
  }

  /** After a change: to the page that shows it, so that loading it again repeats nothing. */
  goTo(path: string, status: 303 | 307 = 303): FastifyReply {
    // A header holds no letters beyond ASCII; in an address they are percent-encoded.
    const address = path.toWellFormed().replaceAll(/[^!-~]/g, encodeURIComponent)
    return this.reply.header('cache-control', 'no-store').redirect(address, status)
  }
}
