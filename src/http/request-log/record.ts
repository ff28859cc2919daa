import type { Caller } from '../../core/caller.ts'
import type { Entry } from './entry.ts'
import type { Facts } from './facts.ts'

/** The numbers of an entry. */
export type Numbers = Readonly<{
  /** Real time and the time of the service when the response had been sent, in milliseconds since 1970. */
  loggedMs: number
  clockMs: number
  milliseconds: number
  status: number
  /** The number of its route; 0 for an unknown address. */
  route: number
  isShown: boolean
  responseBytes: number
}>

/** The texts of an entry. */
export type Texts = Readonly<{
  requestId: string
  target: string
  /** `contextText` */
  context: string
  /** As `HeaderTemplates` writes them. */
  responseHeaders: string
  facts: Facts | undefined
  requestBody: string | undefined
}>

const separator = '\0'

/** The texts in a row: made for every request, so it is the cheapest that can be read again. */
export function recordText({ requestId, target, context, responseHeaders, facts, requestBody }: Texts): string {
  const text = `${requestId}\0${target}\0${context}\0${responseHeaders}`
  const reason = facts?.reason
  if (!reason && requestBody === undefined && facts?.secret === undefined) return text
  return `${text}\0${facts?.secret ?? ''}\0${reason?.code ?? ''}\0${plain(reason?.message)}\0${plain(requestBody)}`
}

const plain = (text = ''): string => text.replaceAll(separator, '\uFFFD')

type Context = Readonly<{
  method: string
  caller: Caller | null
  facts: Facts | undefined
  address: string | undefined
  /** Lines: names and values in turn. */
  requestHeaders: string
}>

/** What the requests of a connection usually have in common. */
export function contextText({ method, caller, facts, address = '', requestHeaders }: Context): string {
  const app = caller?.appKey ?? facts?.app ?? ''
  const user = caller?.UserKey ?? facts?.user ?? ''
  const session = caller?.sessionId ?? facts?.session ?? ''
  return [method, app, user, session, address, requestHeaders].join(separator)
}

type Kept = Readonly<{
  numbers: Omit<Numbers, 'route'>
  route: string | undefined
  count: number
  client: string
  nodeName: string
  body: Buffer
  readHeaders(text: string): string[]
}>

export function readRecord(text: string, { numbers, route, count, client, nodeName, body, readHeaders }: Kept): Entry {
  const { loggedMs, clockMs, milliseconds, status, isShown, responseBytes } = numbers
  const [requestId = '', target = '', method = '', app, user, session, address, ...rest] = text.split(separator)
  const [sent = '', answered = '', secret, code, message = '', requestBody] = rest
  return {
    id: idOf(loggedMs, count, nodeName),
    ...{ count, client, requestId, method, status, isShown, route, target },
    ...{ atMs: clockMs - milliseconds, realMs: loggedMs - milliseconds, milliseconds },
    app: app || undefined,
    user: user || undefined,
    session: session || undefined,
    secret: secret || undefined,
    address: address || undefined,
    reason: code ? { code, message } : undefined,
    requestHeaders: lines(sent),
    requestBody: requestBody || undefined,
    responseHeaders: readHeaders(answered),
    responseBody: body.length === 0 ? undefined : body,
    responseBytes,
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
