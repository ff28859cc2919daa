import type { Caller } from '../../core/caller.ts'
import type { RestRequest } from '../exchange.ts'
import type { Facts } from './facts.ts'
import { contextText } from './record.ts'
import { shownHeaders } from './shown-headers.ts'

const remembered = Symbol('the context of the last request')
type Remembered = Readonly<{ sent: readonly string[]; method: string; caller: Caller | null; text: string }>
type Remembering = { [remembered]?: Remembered }

/** Caller, address and headers of a request. Most requests of a connection have the same, so those of the last one are compared
 *  instead of written again. */
export function contextOf(request: RestRequest, facts: Facts | undefined): string {
  const { method, caller, raw } = request
  // A request in process has none.
  const sent: readonly string[] | undefined = raw.rawHeaders
  const socket = raw.socket as Remembering
  const before = facts || sent === undefined ? undefined : socket[remembered]
  if (before && before.caller === caller && before.method === method && areSame(before.sent, sent as string[]))
    return before.text
  const text = contextText({
    method,
    caller,
    facts,
    address: request.ip,
    requestHeaders: shownHeaders(request.headers),
  })
  if (!facts && sent !== undefined) socket[remembered] = { sent, method, caller, text }
  return text
}

function areSame(before: readonly string[], now: readonly string[]): boolean {
  if (before.length !== now.length) return false
  for (let at = 0; at < now.length; at++) if (before[at] !== now[at]) return false
  return true
}
