import { errorOf, RefdeskError } from './errors.ts'
import { sleep } from './exchange.ts'
import type { Schemas } from './types.ts'

export type Change = Schemas['Change']

export interface ChangesOptions {
  /** The cursor of an export, of a page or of a change: changes after it come first. Default: now. Rejects an empty one. */
  since?: string | undefined
  /** Only records of these kinds. Default: all that the caller may see. */
  kinds?: readonly Change['Kind'][] | undefined
  signal?: AbortSignal | undefined
  /** Called with a cursor whenever it advances, also if only changes passed that the caller does not see. */
  onCursor?: ((cursor: string) => unknown) | undefined
}

/** Opens a response with a token, or returns what it is instead. */
export type OpenStream = (query: Record<string, string>, signal: AbortSignal) => Promise<Response>

const maxWaitMs = 30_000
/** The service sends a heartbeat every 15 seconds. */
const silentMs = 60_000

/** Changes as they come. Connects again after every interruption, from the last change that was received. Rejects if that
 *  cannot help: the token is no longer valid, or the cursor has expired (410). */
export async function* followChanges(
  open: OpenStream,
  { since, kinds, signal, onCursor }: ChangesOptions,
): AsyncGenerator<Change, void, undefined> {
  let cursor = since
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    const query = { ...(cursor !== undefined && { Since: cursor }), ...(kinds && { Kinds: kinds.join(',') }) }
    try {
      for await (const { id, event, data } of eventsOf(open, query, signal)) {
        failures = 0
        if (event === 'end') break
        if (event === 'change') yield JSON.parse(data) as Change
        if (id === undefined || id === cursor) continue
        cursor = id
        await onCursor?.(id)
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failures += 1
    }
    // Random, so that clients that lost the same service do not all return at once.
    await sleep(Math.min(maxWaitMs, 250 * 2 ** failures) * (0.5 + Math.random()), signal)
  }
}

/** Whether connecting again may help. */
const isPassing = (error: unknown): boolean =>
  error instanceof RefdeskError && (error.status === 0 || error.status === 429 || error.status >= 500)

export const lostConnection = (cause: unknown): RefdeskError =>
  new RefdeskError(0, 'NetworkError', 'The connection to the service was lost.', { cause })

type StreamEvent = { id?: string; event: string; data: string }

/** The events of one connection. */
async function* eventsOf(
  open: OpenStream,
  query: Record<string, string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent, void, undefined> {
  const ending = new AbortController()
  const end = () => ending.abort()
  signal?.addEventListener('abort', end)
  let timer = setTimeout(end, silentMs)
  try {
    const response = await open(query, ending.signal)
    if (!response.ok) throw errorOf({ status: response.status, headers: response.headers, text: await response.text() })
    if (!response.body) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; ; ) {
      const { done, value } = await reader.read().catch((cause) => Promise.reject(lostConnection(cause)))
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(end, silentMs)
      const events = `${text}${value}`.split('\n\n')
      text = events.pop() ?? ''
      for (const each of events) yield parseEvent(each)
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    // Ends the connection if the caller stops in the middle.
    end()
  }
}

function parseEvent(text: string): StreamEvent {
  const valueOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
  const id = valueOf('id')
  return { ...(id !== undefined && { id }), event: valueOf('event') ?? '', data: valueOf('data') ?? '' }
}
