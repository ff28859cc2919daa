import type { Caller } from '../../core/caller.ts'
import { correlationOf } from '../output/correlation.ts'
import type { Entry } from './entry.ts'
import type { Facts } from './facts.ts'
import { type Sender, shownOfSender } from './shown-headers.ts'

/** The numbers of an entry. */
export type Numbers = Readonly<{
  /** Real time and the time of the service when the response had been sent, in milliseconds since 1970. */
  loggedMs: number
  clockMs: number
  milliseconds: number
  status: number
  /** The number of its route; 0 for an unknown address. */
  route: number
  /** As `HeaderTemplates.write` returns it; 0 of a request that the framework served. */
  template: number
  responseBytes: number
}>

/** What a record has besides its numbers. */
export type Content = Readonly<{
  /** Of a direct request: its id, its target, which is empty if it is the path of the route, and what `HeaderTemplates` adds, with
   *  a character per byte. Of all others: `usualTexts`. None contains a NUL. */
  texts: readonly string[]
  /** Only of a direct request, as is the caller. */
  sender: Sender | undefined
  caller: Caller | null
  /** Bytes, or text with a character per byte. */
  body: Buffer | string | undefined
  /** Whether the body is short and never changes, so that the record refers to it instead of a copy. */
  isBodyShared: boolean
}>

type Usual = Readonly<{
  requestId: string
  target: string
  method: string
  caller: Caller | null
  facts: Facts | undefined
  address: string | undefined
  requestBody: string | undefined
  /** Lines: names and values in turn. */
  requestHeaders: string
  responseHeaders: string
}>

/** The texts of a request that the framework served. */
export function usualTexts(usual: Usual): string[] {
  const { requestId, target, method, caller, facts, address = '', requestHeaders, responseHeaders, requestBody } = usual
  const app = caller?.appKey ?? facts?.app ?? ''
  const user = caller?.UserKey ?? facts?.user ?? ''
  const session = caller?.sessionId ?? facts?.session ?? ''
  const { secret = '', reason, fault = '' } = facts ?? {}
  return [
    requestId,
    plain(target),
    method,
    plain(app),
    plain(user),
    plain(session),
    address,
    plain(requestHeaders),
    plain(responseHeaders),
    plain(secret),
    plain(reason?.code),
    plain(reason?.message),
    plain(fault),
    plain(requestBody),
  ]
}

/** Of texts that may have any character. */
const plain = (text = ''): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text)

/** A record as it was kept. The body is a copy. */
export type KeptRecord = Omit<Content, 'isBodyShared'> & Readonly<{ count: number; numbers: Numbers; body: Buffer }>

/** What the records of a node have in common. */
export type Source = Readonly<{
  nodeName: string
  /** The path of a route by its number. */
  routeOf(number: number): string | undefined
  /** As `HeaderTemplates.read`. */
  readHeaders(template: number, texts: readonly string[], derive: (name: string) => string): string[]
}>

type Texts = Pick<
  Entry,
  | 'requestId'
  | 'target'
  | 'method'
  | 'app'
  | 'user'
  | 'session'
  | 'secret'
  | 'address'
  | 'reason'
  | 'fault'
  | 'requestHeaders'
  | 'requestBody'
  | 'responseHeaders'
>

export function readRecord(client: string, record: KeptRecord, source: Source): Entry {
  const { count, body, sender, numbers } = record
  const { loggedMs, clockMs, milliseconds, status, route, responseBytes } = numbers
  return {
    id: idOf(loggedMs, count, source.nodeName),
    ...{ count, client, status, milliseconds, responseBytes, isShown: sender === undefined },
    ...{ atMs: clockMs - milliseconds, realMs: loggedMs - milliseconds },
    route: source.routeOf(route),
    responseBody: body.length === 0 ? undefined : body,
    ...(sender ? directTexts(sender, record, source) : readUsual(record.texts)),
  }
}

function directTexts(sender: Sender, { texts, caller, numbers }: KeptRecord, source: Source): Texts {
  const [requestId = '', target = '', ...headers] = texts
  const derive = (name: string): string => {
    if (name === 'content-length') return String(numbers.responseBytes)
    return name === 'x-request-id' ? requestId : correlationOf({ caller, id: requestId }, source.nodeName)
  }
  return {
    ...{ requestId, target: target || (source.routeOf(numbers.route) ?? ''), method: 'GET', address: sender.address },
    app: caller?.appKey,
    user: caller?.UserKey,
    session: caller?.sessionId,
    secret: undefined,
    reason: undefined,
    fault: undefined,
    requestHeaders: shownOfSender(sender),
    requestBody: undefined,
    responseHeaders: source.readHeaders(numbers.template, headers, derive),
  }
}

function readUsual(texts: readonly string[]): Texts {
  const [requestId = '', target = '', method = '', app, user, session, address, ...rest] = texts
  const [sent = '', answered = '', secret, code, message = '', fault, requestBody] = rest
  return {
    ...{ requestId, target, method },
    app: app || undefined,
    user: user || undefined,
    session: session || undefined,
    secret: secret || undefined,
    address: address || undefined,
    reason: code ? { code, message } : undefined,
    fault: fault || undefined,
    requestHeaders: lines(sent),
    requestBody: requestBody || undefined,
    responseHeaders: lines(answered),
  }
}

const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

const idDigits = { time: 9, count: 6 }

/** Ids sort by time, then by count. */
export const idOf = (loggedMs: number, count: number, nodeName: string): string =>
  `${loggedMs.toString(36).padStart(idDigits.time, '0')}${count.toString(36).padStart(idDigits.count, '0')}${nodeName}`

/** The count in an id; undefined for another text. */
export function countOf(id: string): number | undefined {
  const count = Number.parseInt(id.slice(idDigits.time, idDigits.time + idDigits.count), 36)
  return Number.isNaN(count) ? undefined : count
}
