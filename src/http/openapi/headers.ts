import type { Node } from './schemas.ts'

const text = (description: string, more: Node = {}): Node => ({ description, schema: { type: 'string', ...more } })
const integer = (description: string): Node => ({ description, schema: { type: 'integer', minimum: 0 } })

const counts = {
  Limit: 'Maximum number of requests per window.',
  Remaining: 'Requests that remain in this window.',
  Reset: 'Seconds until the window ends.',
}

const bucketTexts = {
  Session: 'Counted per session and service group.',
  RefDataInstrumentsMinute: 'Counted per session, across all operations on instruments.',
  ExplainMinute: 'Counted per session, explanations only.',
  AppDay: 'Counted per app and day.',
}

const rateLimitHeaders = Object.fromEntries(
  Object.entries(bucketTexts).flatMap(([bucket, scope]) =>
    Object.entries(counts).map(([part, count]) => [`X-RateLimit-${bucket}-${part}`, integer(`${scope} ${count}`)]),
  ),
)

const headers: Record<string, Node> = {
  'X-Correlation': {
    ...text('Session, app, request and node, separated by #. Quote it when you report a problem.'),
    required: true,
  },
  ETag: text('The version of the response, for If-None-Match and If-Match.'),
  Location: text('The address of the new resource, or where the browser goes next.', { format: 'uri-reference' }),
  Link: text(
    'The next page, with rel="next", for formats without `__next`. In sim, with rel="help", the explanation of a response that ' +
      'found nothing.',
  ),
  'Retry-After': integer(
    'Seconds to wait before a retry. Absent from a 503 if it is unknown whether a change was saved.',
  ),
  'WWW-Authenticate': text('How to authenticate, and what was wrong (RFC 6750, RFC 7617).'),
  'X-Redirect-Uri-Hint': text('A warning about a redirect URI that is allowed but probably a mistake.'),
  ...rateLimitHeaders,
}

export type HeaderName = 'ETag' | 'Location' | 'Link' | 'Retry-After' | 'WWW-Authenticate' | 'X-Redirect-Uri-Hint'

export class ComponentHeaders {
  readonly headers: Record<string, Node> = {}

  refer(names: readonly string[]): Node {
    const all = ['X-Correlation', ...names]
    for (const name of all) this.headers[name] = headers[name] ?? {}
    return { headers: Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
  }
}
