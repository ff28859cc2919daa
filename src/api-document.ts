import type { Config } from './config.ts'
import { basePathOf } from './core/environment.ts'
import type { WireProfile } from './core/wire-profile.ts'
import { collectOpenApi } from './http/openapi/document.ts'
import { sendWithEtag } from './http/output/caching.ts'
import { cors } from './http/output/cors.ts'
import type { Server } from './http/typed-server.ts'
import { version } from './version.ts'

/** The groups of the API, in the order in which a newcomer meets them. */
const tags = [
  {
    name: 'sign-in',
    'x-displayName': 'Sign-in',
    description:
      'How an app gets a token for a user, keeps it and gives it back: OAuth 2.0 with codes, PKCE or implicit.',
  },
  {
    name: 'port',
    'x-displayName': 'Portfolio',
    description: 'Who the token is of: the user, the client and its accounts, with the keys that other calls take.',
  },
  {
    name: 'ref',
    'x-displayName': 'Reference data',
    description: 'Instruments, option chains, futures, trading hours, and the lists that their codes are from.',
  },
  {
    name: 'ca',
    'x-displayName': 'Corporate actions',
    description: 'Dividends, splits, offers and other events of what a client holds, and what was elected.',
  },
  {
    name: 'root',
    'x-displayName': 'Session',
    description: 'The session of the token, and which methods come through to the service.',
  },
  {
    name: 'developer',
    'x-displayName': 'Apps',
    description: 'The apps of a client, their redirect URIs and secrets.',
  },
  {
    name: 'x',
    'x-displayName': 'More',
    description: 'Beyond the specification: sessions, calendars, holidays and what else the console is made of.',
  },
  {
    name: 'health',
    'x-displayName': 'Health',
    description: 'For load balancers and whoever watches over the service.',
  },
]

const description = `
Sign-in, who the caller is, instrument reference data, corporate actions and developer apps.

**A token.** An app sends its user to \`/authorize\` and exchanges the code that comes back at \`/token\`. Every call then
has the header \`Authorization: Bearer …\`. A token lives for minutes; the refresh token that comes with it gets the next
pair, once. What a caller may see and trade follows from the rights of the user.

**Requests.** Paths, names of parameters and values of closed sets match in any case; names in a JSON body do not. Lists
are separated by commas. Parameters that are not known are ignored.

**Pages.** A feed has its rows in \`Data\`; \`$top\` says how many. While there are more, \`__next\` is the whole address of
the next page, to be called as it is.

**Dates.** Days are \`YYYY-MM-DD\`, moments are UTC with six decimals of a second. Some days are told as their midnight,
\`2026-12-18T00:00:00Z\`: \`Expiry\` and \`DisplayExpiry\` of options, and \`Date\` of an event, but for its deadlines,
which are moments. In the vendor profile these are days like the others. A member without a value is left out.

**Refusals.** A status, and a body with an \`ErrorCode\` for programs and a \`Message\` for people; \`ModelState\` tells all
fields that are not valid at once. What one may not see is answered like what does not exist.

**Limits.** Each session has a number of requests a minute in each group, each app one a day; headers tell what is left.
429 and 503 with \`Retry-After\` have changed nothing.

**Caching.** Where there is an \`ETag\`, send it back as \`If-None-Match\`: 304 costs little. Answers come as gzip or br.
`.trim()

/** Hears of all routes that are registered afterwards, and serves the document of them. */
export function apiDocument(server: Server, { publicUrl, environment }: Config, profile: WireProfile): void {
  const summary = 'Instrument reference data, corporate actions and developer apps.'
  const place = { publicUrl, basePath: basePathOf(environment) }
  const document = collectOpenApi(server, { title: 'refdesk', version, summary, description, ...place, profile, tags })
  server.register(async (scope: Server) => {
    cors(scope, '*')
    scope.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
      const { body, etag } = document()
      reply.header('content-type', 'application/json; charset=utf-8')
      return sendWithEtag(request, reply, etag, () => body, 'public, max-age=300')
    })
  })
}
