import { type Static, type TObject, Type } from 'typebox'
import { describe, named, oneOf } from '../../core/schema.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { oauthStatuses } from '../problem.ts'

/** What libraries send and get at the authorization server. The requests are read by rules, so they are here for the API
 *  document only. */

const maybe = Type.Optional
const text = (description: string, ...examples: string[]) =>
  Type.String({ description, ...(examples.length > 0 && { examples }) })

const demoApp = '0123456789abcdef0123456789abcdef'
const demoRedirectUri = 'http://localhost:5000/callback'

/** GET /authorize (§5.2 step 1, §5.3 step 1). */
export const authorizeQuery = ({ acceptsWeakPkce }: WireProfile) =>
  Type.Object({
    response_type: describe(
      oneOf('code', 'token'),
      'What to get: code for apps of the flows Code and PKCE, token for those of the flow Implicit.',
      { examples: ['code'] },
    ),
    client_id: text('The AppKey.', demoApp),
    redirect_uri: text('One of the redirect URIs of the app, exactly as registered.', demoRedirectUri),
    state: maybe(Type.String({ maxLength: 2048, description: 'Comes back unchanged; to know the answer by.' })),
    code_challenge: maybe(
      text('PKCE (RFC 7636): base64url of the SHA-256 of a code_verifier that is sent later. PKCE apps must send it.'),
    ),
    code_challenge_method: maybe(
      describe(acceptsWeakPkce ? oneOf('S256', 'plain') : oneOf('S256'), 'How code_challenge was made.'),
    ),
    prompt: maybe(
      describe(
        oneOf('none', 'login', 'consent'),
        'none: no page, an error where one would be needed. login: sign in again. consent: ask again.',
      ),
    ),
    lang: maybe(text('Language of the pages: en, de or da.', 'en')),
  })

const client_id = 'The AppKey, instead of HTTP Basic, or of an app without secrets.'
const client_secret = maybe(text('A secret of the app, instead of HTTP Basic.'))

/** POST /token (§5.2 steps 3 to 6). */
export const tokenForm = ({ requiresRedirectUriOnExchange: isNeeded, pkceRefreshNeedsClientId }: WireProfile) =>
  Type.Object(
    {
      grant_type: describe(oneOf('authorization_code', 'refresh_token'), 'What is exchanged.'),
      code: maybe(text('The code that came to the redirect URI; once, within a minute.')),
      redirect_uri: maybe(
        text(`The one that the sign-in was for; ${isNeeded ? 'needed with a code' : 'compared where it is sent'}.`),
      ),
      code_verifier: maybe(text('What code_challenge was made of; needed where there was one.')),
      refresh_token: maybe(text('The latest refresh token. The answer has the next one.')),
      client_id: maybe(
        text(pkceRefreshNeedsClientId ? client_id : `${client_id} A PKCE app may leave it out with a refresh token.`),
      ),
      client_secret,
    },
    {
      title: 'TokenRequest',
      examples: [
        {
          grant_type: 'authorization_code',
          code: '1f0e7a5c-62f4-4a3e-9a51-6a0f4c1e8b2d',
          redirect_uri: demoRedirectUri,
        },
      ],
    },
  )

/** How the API document shows what `readForm` reads: where the query will do, no parameter of it is needed. */
export const formOf = (form: TObject, { acceptsTokenQueryAndMultipart }: WireProfile) => ({
  form,
  ...(acceptsTokenQueryAndMultipart && { query: Type.Partial(form), formAnywhere: true }),
})

const seconds = (description: string) => Type.Integer({ minimum: 0, description })

const tokenMembers = {
  access_token: text('For the Authorization header of every call: a JWT. Treat it as opaque.'),
  expires_in: seconds('Seconds until the access token expires.'),
  token_type: text('Bearer.'),
  refresh_token: text('Exchange it for the next tokens. It can be used once; store it safely.'),
  refresh_token_expires_in: seconds('Seconds until the refresh token expires.'),
}
/** The token response (§4.1). */
export type TokenResponse = Readonly<Static<TObject<typeof tokenMembers>>>
/** A session that is renewed in place (§11.2). An implicit app gets no refresh token (§4.6). */
export type RenewedSession = Omit<TokenResponse, 'refresh_token' | 'refresh_token_expires_in'> & Partial<TokenResponse>

/** `base_uri` belongs to the vendor profile. */
export const tokenResponse = ({ tokenExtras }: WireProfile) =>
  Type.Object(
    {
      ...tokenMembers,
      ...('base_uri' in tokenExtras && { base_uri: Type.Null({ description: 'Always null.' }) }),
    },
    {
      title: 'Token',
      description: 'New tokens.',
      examples: [
        {
          access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJZT2pIcHYifQ.c2lnbmF0dXJl',
          expires_in: 1200,
          token_type: 'Bearer',
          refresh_token: 'a666c58e-5707-0c51-64a2-e9dd7df119b2',
          refresh_token_expires_in: 3600,
          ...tokenExtras,
        },
      ],
    },
  )

/** POST /revoke and POST /introspect. */
export const OwnTokenForm = Type.Object(
  {
    token: text('An access token or refresh token of the app.'),
    token_type_hint: maybe(text('Which of both it is; found without it too.')),
    client_id: maybe(text(client_id)),
    client_secret,
  },
  { title: 'OwnTokenRequest', examples: [{ token: 'a666c58e-5707-0c51-64a2-e9dd7df119b2' }] },
)

/** RFC 7009 §2.2. */
export const Revoked = Type.Object({}, { title: 'Revoked', description: 'The session has ended.', examples: [{}] })

/** RFC 7662 §2.2. */
export const Introspection = Type.Object(
  {
    active: Type.Boolean({ description: 'Whether it would be accepted now. When false, nothing else is told.' }),
    token_type: maybe(text('Of an access token: Bearer.')),
    client_id: maybe(text('The AppKey of its app.')),
    sub: maybe(text('The UserKey of its user.')),
    sid: maybe(text('Its session.')),
    exp: maybe(Type.Integer({ description: 'When it ends, in seconds since 1970.' })),
    iss: maybe(text('Who issued it: this service.')),
    iat: maybe(Type.Integer({ description: 'When it was issued.' })),
    aud: maybe(text('What it is for: the address of the REST interface.')),
    jti: maybe(text('Its own id.')),
    uid: maybe(text('The UserKey.')),
    cid: maybe(text('The ClientKey.')),
    aid: maybe(text('The AppKey.')),
    oaa: maybe(text('77770 when it may read and write, 77700 when it may only read.')),
  },
  { title: 'Introspection', description: 'What the token is worth now.', examples: [{ active: false }] },
)
export type Introspection = Static<typeof Introspection>

/** Every refusal of sign-in (RFC 6749 §5.2). */
export const OAuthError = Type.Object(
  {
    error: named(
      'OAuthErrorCode',
      oneOf(...(Object.keys(oauthStatuses) as (keyof typeof oauthStatuses)[])),
      'Why, for programs (RFC 6749).',
    ),
    error_description: text('What is wrong, for people.'),
  },
  {
    title: 'OAuthError',
    description: 'Why a request was refused.',
    examples: [{ error: 'invalid_grant', error_description: 'The code is not valid.' }],
  },
)

const addresses = (description: string) => Type.String({ format: 'uri', description })
const names = (description: string) => Type.Array(Type.String(), { description })

/** RFC 8414. */
export const ServerMetadata = Type.Object(
  {
    issuer: addresses('The service, as tokens name it.'),
    authorization_endpoint: addresses('Where a sign-in begins.'),
    token_endpoint: addresses('Where tokens are had.'),
    revocation_endpoint: addresses('Where a session is ended.'),
    introspection_endpoint: addresses('Where a token is asked about.'),
    jwks_uri: addresses('Where the keys are that access tokens are signed with.'),
    response_types_supported: names('Values of response_type.'),
    response_modes_supported: names('Where an answer stands in the redirect.'),
    grant_types_supported: names('Ways to get tokens.'),
    token_endpoint_auth_methods_supported: names('Ways for an app to say who it is.'),
    revocation_endpoint_auth_methods_supported: names('The same.'),
    introspection_endpoint_auth_methods_supported: names('The same.'),
    code_challenge_methods_supported: names('Values of code_challenge_method.'),
    authorization_response_iss_parameter_supported: Type.Boolean({
      description: 'Whether redirects have iss (RFC 9207).',
    }),
    ui_locales_supported: names('Languages of the pages.'),
  },
  { title: 'ServerMetadata', description: 'What there is, and where.' },
)

/** RFC 7517. */
export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: text('EC.'),
          crv: text('P-256.'),
          x: text('A coordinate.'),
          y: text('The other.'),
          kid: text('Which one it is: tokens name it in their header.'),
          alg: text('ES256.'),
          use: text('sig.'),
        },
        { title: 'SigningKey' },
      ),
      { description: 'Those that sign now, did lately, or will soon.' },
    ),
  },
  { title: 'KeySet', description: 'Public keys.' },
)
export type KeySet = Static<typeof KeySet>
