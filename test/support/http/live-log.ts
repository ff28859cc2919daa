import { eventually } from '../eventually.ts'

/** The events of a live request log as they arrive. */
export const followLog = (baseUrl: string, token: string, query = '', headers: Record<string, string> = {}) =>
  followStream(`${baseUrl}/x/v1/requests/stream${query}`, token, headers)

/** The events of a stream as they arrive. */
export function followStream(url: string, token: string, headers: Record<string, string> = {}) {
  const closing = new AbortController()
  const got = { text: '', status: 0, hasEnded: false, close: () => closing.abort() }
  const read = async () => {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: closing.signal,
    })
    got.status = response.status
    for await (const part of response.body ?? []) got.text += Buffer.from(part).toString()
    got.hasEnded = true
  }
  read().catch(() => {})
  return got
}

export const until = (condition: () => boolean) => eventually(async () => condition() || undefined)
