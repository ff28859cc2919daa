import type { Socket } from 'node:net'
import type { RestRequest } from '../exchange.ts'
import { isShownOfRequest, type Sender } from './shown-headers.ts'

const remembered = Symbol('the sender of the last request')
type Remembering = Socket & { [remembered]?: Sender }

/** Most requests of a connection have the same headers, so those of the last one are compared instead of kept again. Their tokens
 *  may differ. */
export function senderOf(request: RestRequest): Sender {
  const { raw } = request
  // A request in process has none.
  const sent: readonly string[] | undefined = raw.rawHeaders
  if (sent === undefined) return makeSender(request.ip, pairsOf(request.headers))
  const socket = raw.socket as Remembering
  const before = socket[remembered]
  if (before && areSame(before.headers, sent)) return before
  const made = makeSender(request.ip, sent)
  socket[remembered] = made
  return made
}

function pairsOf(headers: RestRequest['headers']): string[] {
  const pairs: string[] = []
  for (const name in headers) pairs.push(name, headers[name] as string)
  return pairs
}

function areSame(kept: Sender['headers'], sent: readonly string[]): boolean {
  if (kept.length !== sent.length) return false
  for (let at = 0; at < sent.length; at++) {
    const text = kept[at]
    if (text !== undefined && text !== sent[at]) return false
  }
  return true
}

/** A string and the array's reference to it, without its characters. */
const stringBytes = 32

function makeSender(address: string | undefined, sent: readonly string[]): Sender {
  const headers = sent.map((text, at) => {
    const isValue = at % 2 === 1
    return isValue && !isShownOfRequest((sent[at - 1] as string).toLowerCase()) ? undefined : text
  })
  const bytes = headers.reduce((sum, text = '') => sum + stringBytes + text.length, 0)
  return { address, headers, bytes }
}
