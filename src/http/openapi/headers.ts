import type { rateLimitBuckets } from '../limits/buckets.ts'
import type { Node } from './schemas.ts'

const text = (description: string, more: Node = {}): Node => ({ description, schema: { type: 'string', ...more } })
const whole = (description: string): Node => ({ description, schema: { type: 'integer', minimum: 0 } })

const counts = {
  Limit: 'How many requests there may be in one period.',
  Remaining: 'How many are left of them.',
  Reset: 'In how many seconds the period ends.',
}

const bucketTexts = {
  Session: 'Counted for each session and service group.',
  RefDataInstrumentsMinute: 'Counted for each session, over all operations on instruments.',
  AppDay: 'Counted for each app and day.',
}

const rateLimitHeaders = Object.fromEntries(
  Object.entries(bucketTexts).flatMap(([bucket, of]) =>
    Object.entries(counts).map(([part, what]) => [`X-RateLimit-${bucket}-${part}`, whole(`${of} ${what}`)]),
  ),
)

/** Every header that an answer may have and a caller may care for. */
const headers: Record<string, Node> = {
  'X-Correlation': {
    ...text('Session, app, request and node, with # between them: what to name when something is asked about.'),
    required: true,
  },
  ETag: text('The version of the answer, for If-None-Match and If-Match.'),
  Location: text('The address of what was made, or where the browser goes on.', { format: 'uri-reference' }),
  Link: text('Where the next page is, with rel="next": a text has no room for `__next`.'),
  'Retry-After': whole(
    'In how many seconds to try again. Absent from a 503 when it is not known whether a change was saved.',
  ),
  'WWW-Authenticate': text('What to send, and what was wrong with what was sent (RFC 6750, RFC 7617).'),
  'X-Redirect-Uri-Hint': text('What is allowed but likely a mistake about the redirect URI.'),
  ...rateLimitHeaders,
}

export type HeaderName = 'ETag' | 'Location' | 'Link' | 'Retry-After' | 'WWW-Authenticate' | 'X-Redirect-Uri-Hint'

/** The headers of the API document: those that are referred to. */
export class ComponentHeaders {
  readonly headers: Record<string, Node> = {}

  refer(names: readonly string[]): Node {
    const all = ['X-Correlation', ...names]
    for (const name of all) this.headers[name] = headers[name] ?? {}
    return { headers: Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
  }
}

/** What tells a caller where they stand; absent while nobody counts. */
export function standingHeaders(bucket: keyof typeof rateLimitBuckets = 'Session'): string[] {
  return [bucket, 'AppDay'].flatMap((name) => Object.keys(counts).map((part) => `X-RateLimit-${name}-${part}`))
}
