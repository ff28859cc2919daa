import type { Config } from './config.ts'
import { basePathOf } from './core/environment.ts'
import type { WireProfile } from './core/wire-profile.ts'
import { collectOpenApi } from './http/openapi/document.ts'
import { sendWithEtag } from './http/output/caching.ts'
import { cors } from './http/output/cors.ts'
import type { Server } from './http/typed-server.ts'
import { version } from './version.ts'

const tag = (name: string, displayName: string, description: string) => ({
  name,
  'x-displayName': displayName,
  description,
})

const tags = [
  tag(
    'sign-in',
    'Sign-in',
    'OAuth 2.0: how an app gets, refreshes and revokes tokens, with the code, PKCE or implicit flow.',
  ),
  tag('port', 'Portfolio', 'The user, client and accounts of the token, with the keys that other operations take.'),
  tag('ref', 'Reference data', 'Instruments, option chains, futures, trading hours and code lists.'),
  tag('ca', 'Corporate actions', 'Dividends, splits, offers and other events for a client’s holdings, and elections.'),
  tag('root', 'Session', 'The session of the token, and diagnostics.'),
  tag('developer', 'Apps', 'Apps, redirect URIs and secrets.'),
  tag('x', 'More', 'Extensions: sessions, calendars, holidays and more.'),
  tag('health', 'Health', 'For load balancers and monitoring.'),
]

const description = `
Sign-in, identity, instrument reference data, corporate actions and developer apps.

**Tokens.** An app sends its user to \`/authorize\` and exchanges the returned code at \`/token\`. Every call then carries
the header \`Authorization: Bearer …\`. An access token is valid for minutes; its refresh token gets the next pair, once.
The user's rights decide what a caller may see and trade.

**Requests.** Paths, parameter names and enum values match in any case; member names in a JSON body do not. Lists are
comma separated. Unknown parameters are ignored.

**Paging.** A feed has its rows in \`Data\`; \`$top\` sets the page size. While there are more rows, \`__next\` is the URL of
the next page; call it unchanged.

**Dates.** Days are \`YYYY-MM-DD\`, times are UTC with six decimals. Some days are sent as midnight,
\`2026-12-18T00:00:00Z\`: \`Expiry\` and \`DisplayExpiry\` of options, and \`Date\` of an event. The vendor profile sends
plain days instead, except for deadlines, which are times, or midnight without decimals if only the day is known.
Members without a value are left out.

**Errors.** A status and a body with an \`ErrorCode\` for programs and a \`Message\` for people; \`ModelState\` lists all
invalid fields at once. A resource that the caller may not see returns the same 404 as one that does not exist.

**Rate limits.** Each session has a number of requests per minute and service group, each app one per day; headers show
what is left. A 429 or 503 with \`Retry-After\` means that nothing was changed.

**Caching.** Send an \`ETag\` back as \`If-None-Match\` to get a 304 while nothing has changed. Responses are compressed
with gzip or br.
`.trim()

/** Collects all routes that are registered afterwards, and serves /openapi.json. */
export function apiDocument(server: Server, { publicUrl, environment }: Config, profile: WireProfile): void {
  const summary = 'Instrument reference data, corporate actions and developer apps.'
  const about = { title: 'refdesk', version, summary, description, tags }
  const document = collectOpenApi(server, { ...about, publicUrl, basePath: basePathOf(environment), profile })
  server.register(async (scope: Server) => {
    cors(scope, '*')
    scope.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
      const { body, etag } = document()
      reply.header('content-type', 'application/json; charset=utf-8')
      return sendWithEtag(request, reply, etag, () => body, 'public, max-age=300')
    })
  })
}
