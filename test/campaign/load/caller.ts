import type { FaultWindow } from '../fault-window.ts'
import type { Findings, Tally } from '../findings.ts'
import type { Random } from '../random.ts'

/** What a caller knows after a request. `refused`: nothing happened. `unknown`: it may have happened. */
export type Outcome = Readonly<{
  kind: 'answered' | 'refused' | 'unknown'
  status: number
  headers: Headers
  text: string
  startedAt: number
  endedAt: number
}>

export type Call = Readonly<{
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below the base URL of the API; with `at: 'origin'` below the origin of the node. */
  path: string
  at?: 'origin'
  token?: string
  basic?: readonly [string, string]
  form?: Record<string, string>
  json?: unknown
  cookies?: Map<string, string>
  ifMatch?: string
  /** Any other status but 503 is wrong. */
  expected: readonly number[]
  /** A given node instead of any. */
  node?: number
}>

type Node = Readonly<{ url: string; baseUrl: string }>

/** Longer than every wait of the service. */
export const patienceMs = 30_000
const noHeaders = new Headers()

/** Sends requests to the nodes as a load balancer would, and judges every answer. */
export class Caller {
  readonly #nodes: readonly Node[]
  readonly #random: Random
  readonly #window: FaultWindow
  readonly #findings: Findings
  readonly #tally: Tally

  constructor(nodes: readonly Node[], random: Random, window: FaultWindow, findings: Findings, tally: Tally) {
    this.#nodes = nodes
    this.#random = random
    this.#window = window
    this.#findings = findings
    this.#tally = tally
  }

  async send(call: Call): Promise<Outcome> {
    const node = call.node ?? this.#random.whole(0, this.#nodes.length - 1)
    const { url, baseUrl } = this.#nodes[node] as Node
    const startedAt = performance.now()
    this.#tally.requests++
    const what = `${call.method ?? 'GET'} ${call.path.split('?')[0]} at node ${node + 1}`
    try {
      const answer = await fetch(`${call.at === 'origin' ? url : baseUrl}${call.path}`, initOf(call))
      const text = await answer.text()
      keepCookies(call, answer.headers)
      const { status, headers } = answer
      const outcome = { status, headers, text, startedAt, endedAt: performance.now() }
      if (status !== 503) return { ...outcome, kind: this.#judge(what, call, status, text) }
      this.#tally.unavailable++
      this.#window.failed(`${what} was answered 503`, startedAt)
      return { ...outcome, kind: this.#judgeUnavailable(what, headers, text) }
    } catch (error) {
      return this.#lost(what, error, startedAt)
    }
  }

  #judge(what: string, { expected }: Call, status: number, text: string): 'answered' {
    if (!expected.includes(status)) this.#findings.add('wrong answer', `${what} was answered ${status}: ${short(text)}`)
    return 'answered'
  }

  /** 503 with Retry-After changed nothing. Without it, or if /token says so, the commit may have succeeded (§2.4). */
  #judgeUnavailable(what: string, headers: Headers, text: string): 'refused' | 'unknown' {
    const isTold = headers.has('retry-after')
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
    const body = isJson ? (JSON.parse(text) as Record<string, string>) : {}
    const isDocumented =
      !isJson ||
      body.Status === 'NotReady' ||
      body.ErrorCode === 'ServiceUnavailable' ||
      body.error === 'temporarily_unavailable'
    if (!isDocumented) this.#findings.add('wrong answer', `${what} was answered 503 with another body: ${short(text)}`)
    if (body.error !== undefined) return /during the commit/.test(body.error_description ?? '') ? 'unknown' : 'refused'
    return isTold ? 'refused' : 'unknown'
  }

  #lost(what: string, error: unknown, startedAt: number): Outcome {
    const { cause } = error as { cause?: { code?: string } }
    const isUnreached = cause?.code === 'ECONNREFUSED'
    this.#tally.cutOff++
    this.#window.failed(`${what} got no answer (${cause?.code ?? (error as Error).message})`, startedAt)
    const seen = { status: 0, headers: noHeaders, text: '', startedAt, endedAt: performance.now() }
    return { ...seen, kind: isUnreached ? 'refused' : 'unknown' }
  }
}

function initOf({ method, token, basic, form, json, cookies, ifMatch }: Call): RequestInit {
  const headers: Record<string, string> = {}
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (basic !== undefined) headers.authorization = `Basic ${Buffer.from(basic.join(':')).toString('base64')}`
  if (json !== undefined) headers['content-type'] = 'application/json'
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  if (cookies && cookies.size > 0) headers.cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  const body = form ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json)
  return {
    method: method ?? 'GET',
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
    ...(body !== undefined && { body }),
  }
}

function keepCookies({ cookies }: Call, headers: Headers): void {
  for (const line of cookies ? headers.getSetCookie() : []) {
    const [pair = ''] = line.split(';')
    const equals = pair.indexOf('=')
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
    if (value === '') cookies?.delete(name)
    else cookies?.set(name, value)
  }
}

export const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200)
